"""The store of matches and challenges in an SQL database."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.models import (
    FINISHED,
    OPEN,
    PLAYING,
    RUNNING,
    UNSHOWN,
    ChallengeRow,
    MatchRow,
    PlyRow,
    SeatRow,
)
from db.sessions import Sessions
from db.values import (
    Answer,
    Answered,
    Challenge,
    DiscordId,
    MovedOn,
    NewChallenge,
    Outcome,
    Panel,
    Place,
    Standing,
    StoredMatch,
)
from rules.core.match import Ply


class SqlStore:
    """What the bot keeps. Each method is one transaction; what it raises, it has stored nothing of.

    An id that was never given out is a LookupError, except where a method answers None for it.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def add_challenge(self, new: NewChallenge) -> Challenge:
        """Store an open challenge."""
        row = ChallengeRow(
            game=new.setup.game,
            options=new.setup.options,
            players=new.setup.players,
            guild=new.place.guild,
            channel=new.place.channel,
            challenger=new.challenger,
            opponent=new.opponent,
            made_at=new.made_at,
            expires_at=new.expires_at,
            answer=Answer.OPEN,
        )
        async with self._sessions.write() as session:
            session.add(row)
        return row.value()

    async def challenge(self, challenge: int) -> Challenge | None:
        """The challenge with this id, however it stands."""
        async with self._sessions.read() as session:
            row = await session.get(ChallengeRow, challenge)
        return None if row is None else row.value()

    async def challenges(
        self, *, user: DiscordId | None = None, place: Place | None = None
    ) -> list[Challenge]:
        """Open challenges made by or to `user`, or in the channel of `place`, oldest first; both narrow."""
        query = select(ChallengeRow).where(OPEN).order_by(ChallengeRow.made_at, ChallengeRow.id)
        if user is not None:
            query = query.where(or_(ChallengeRow.challenger == user, ChallengeRow.opponent == user))
        if place is not None:
            query = query.where(ChallengeRow.channel == place.channel)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def show_challenge(self, challenge: int, message: DiscordId) -> None:
        """Remember the message that shows a challenge."""
        async with self._sessions.write() as session:
            (await _challenge(session, challenge)).message = message

    async def accept(
        self, challenge: int, users: Sequence[DiscordId], version: int, at: datetime
    ) -> StoredMatch:
        """Turn an open challenge into a match, `users` by seat. Raises Answered."""
        async with self._sessions.write() as session:
            asked = await _open(session, challenge)
            if len(users) != asked.players:
                raise ValueError(f"{asked.players} seats cannot be given to {len(users)} users.")
            row = MatchRow(
                game=asked.game,
                options=asked.options,
                players=asked.players,
                version=version,
                guild=asked.guild,
                channel=asked.channel,
                plies=0,
                started_at=at,
                seats=[SeatRow(seat=seat, user_id=user) for seat, user in enumerate(users)],
                log=[],
            )
            session.add(row)
            await session.flush()
            asked.answer, asked.answered_at, asked.match_id = Answer.ACCEPTED, at, row.id
        return row.value()

    async def refuse(self, challenge: int, answer: Answer, at: datetime) -> Challenge:
        """Close an open challenge without a match. Raises Answered."""
        if answer in (Answer.OPEN, Answer.ACCEPTED):
            raise ValueError(f"A challenge is not refused by the answer {answer}.")
        async with self._sessions.write() as session:
            row = await _open(session, challenge)
            row.answer, row.answered_at = answer, at
        return row.value()

    async def expire(self, at: datetime) -> list[Challenge]:
        """Close every open challenge whose time is over, and answer those just closed, oldest first."""
        query = (
            select(ChallengeRow)
            .where(OPEN, ChallengeRow.expires_at <= at)
            .order_by(ChallengeRow.made_at, ChallengeRow.id)
            # One that is being answered at this moment is no longer ours to close.
            .with_for_update(skip_locked=True)
        )
        async with self._sessions.write() as session:
            rows = (await session.scalars(query)).all()
            for row in rows:
                row.answer, row.answered_at = Answer.EXPIRED, at
        return [row.value() for row in rows]

    async def load(self, match: int) -> StoredMatch | None:
        """The match with this id."""
        found = await self._matches(_whole().where(MatchRow.id == match))
        return found[0] if found else None

    async def append(
        self, match: int, plies: int, ply: Ply, at: datetime, outcomes: Sequence[Outcome] | None
    ) -> None:
        """Append `ply` to a match that has `plies` plies; `outcomes` by seat if it ends the match.

        Raises MovedOn when the match has another number of plies, or is over.
        """
        async with self._sessions.write() as session:
            row = await _match(session, match)
            if row.plies != plies or row.finished_at is not None:
                raise MovedOn(f"match {match} has {row.plies} plies, not {plies}, or is over")
            row.plies += 1
            session.add(PlyRow(match_id=match, ply=plies, seat=ply.seat, text=ply.text, played_at=at))
            if outcomes is not None:
                if len(outcomes) != row.players:
                    raise ValueError(f"{row.players} seats cannot have {len(outcomes)} outcomes.")
                row.finished_at = at
                await session.execute(
                    update(SeatRow),
                    [
                        {"match_id": match, "seat": seat, "outcome": outcome}
                        for seat, outcome in enumerate(outcomes)
                    ],
                )

    async def show(self, match: int, panel: Panel) -> None:
        """Remember the message that shows a match."""
        async with self._sessions.write() as session:
            row = await _match(session, match)
            row.panel_channel, row.panel_message, row.panel_plies = panel.channel, panel.message, panel.plies

    async def running(
        self,
        *,
        user: DiscordId | None = None,
        channel: DiscordId | None = None,
        guild: DiscordId | None = None,
    ) -> list[StoredMatch]:
        """Matches that are not over, narrowed by whatever is given, oldest first."""
        query = _whole().where(RUNNING)
        if user is not None:
            theirs = select(SeatRow.match_id).where(SeatRow.user_id == user, PLAYING)
            query = query.where(MatchRow.id.in_(theirs))
        if channel is not None:
            query = query.where(MatchRow.channel == channel)
        if guild is not None:
            query = query.where(MatchRow.guild == guild)
        return await self._matches(query)

    async def unshown(self) -> list[StoredMatch]:
        """Matches whose panel is missing or shows fewer plies than were played (finished ones too)."""
        return await self._matches(_whole().where(UNSHOWN))

    async def standings(self, guild: DiscordId, game: str | None, limit: int) -> list[Standing]:
        """Who won most in a server: by wins, draws, fewer losses, then id; `game` None means all games."""
        won, drawn, lost = (func.count().filter(SeatRow.outcome == outcome) for outcome in Outcome)
        query = (
            select(SeatRow.user_id, won, drawn, lost)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(FINISHED, MatchRow.guild == guild)
            .group_by(SeatRow.user_id)
            .order_by(won.desc(), drawn.desc(), lost, SeatRow.user_id)
            .limit(limit)
        )
        if game is not None:
            query = query.where(MatchRow.game == game)
        async with self._sessions.read() as session:
            return [Standing(*row) for row in await session.execute(query)]

    async def _matches(self, query: Select[MatchRow]) -> list[StoredMatch]:
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]


def _whole() -> Select[MatchRow]:
    """Matches with their seats and logs, oldest first: three queries, however many matches there are."""
    return (
        select(MatchRow)
        .options(selectinload(MatchRow.seats), selectinload(MatchRow.log))
        .order_by(MatchRow.started_at, MatchRow.id)
    )


async def _match(session: AsyncSession, match: int) -> MatchRow:
    """The row of a match, locked until the transaction ends."""
    row = await session.get(MatchRow, match, with_for_update=True)
    if row is None:
        raise LookupError(f"there is no match {match}")
    return row


async def _challenge(session: AsyncSession, challenge: int) -> ChallengeRow:
    """The row of a challenge, locked until the transaction ends."""
    row = await session.get(ChallengeRow, challenge, with_for_update=True)
    if row is None:
        raise LookupError(f"there is no challenge {challenge}")
    return row


async def _open(session: AsyncSession, challenge: int) -> ChallengeRow:
    """The row of an open challenge, locked. Raises Answered."""
    row = await _challenge(session, challenge)
    if row.answer is not Answer.OPEN:
        raise Answered(row.value())
    return row
