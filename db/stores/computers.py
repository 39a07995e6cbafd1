"""The matches of computer players in the database."""

from collections.abc import Sequence

from sqlalchemy import exists, select
from sqlalchemy.orm import aliased

from db.models import (
    OPEN,
    PLAYING,
    PROPOSED,
    ChallengeRow,
    ConsentRow,
    MatchRow,
    ParticipantRow,
    ProposalRow,
    SeatRow,
)
from db.stores.base import StorePart
from db.values.challenges import Reply
from db.values.members import COMPUTER_PLAYERS
from db.values.places import DiscordId


class ComputerStore(StorePart):
    """The matches of computer players, and what waits for them. Lists are limited, and begin with the oldest."""

    async def agreed_challenges(self, limit: int) -> Sequence[int]:
        """Return the ids of open challenges to named users that nobody has still to answer."""
        asked = ParticipantRow.challenge_id == ChallengeRow.id, ParticipantRow.reply == Reply.ASKED
        query = (
            select(ChallengeRow.id)
            .where(OPEN, ChallengeRow.public.is_(False), ~exists().where(*asked))
            .where(self._served(ChallengeRow.guild))
            .order_by(ChallengeRow.made_at, ChallengeRow.id)
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def unanswered_proposals(self, limit: int) -> Sequence[int]:
        """Return the ids of open proposals to which a computer player has still to agree."""
        agreed = ConsentRow.proposal_id == ProposalRow.id, ConsentRow.seat == SeatRow.seat
        query = (
            select(ProposalRow.id)
            .join(MatchRow, MatchRow.id == ProposalRow.match_id)
            .join(SeatRow, SeatRow.match_id == ProposalRow.match_id)
            .where(PROPOSED, self._served(MatchRow.guild), SeatRow.user_id.in_(COMPUTER_PLAYERS), PLAYING)
            .where(SeatRow.seat != ProposalRow.seat, ~exists().where(*agreed))
            .group_by(ProposalRow.id)
            .order_by(ProposalRow.made_at, ProposalRow.id)
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def last_opponent(self, user: DiscordId, game: str) -> DiscordId | None:
        """Return the computer player against which `user` began their newest match of a game; None without any."""
        theirs, others = aliased(SeatRow), aliased(SeatRow)
        query = (
            select(others.user_id)
            .join(theirs, theirs.match_id == others.match_id)
            .join(MatchRow, MatchRow.id == others.match_id)
            .where(theirs.user_id == user, others.user_id.in_(COMPUTER_PLAYERS), MatchRow.game == game)
            .order_by(MatchRow.id.desc(), others.seat)
            .limit(1)
        )
        async with self._sessions.read() as session:
            return await session.scalar(query)
