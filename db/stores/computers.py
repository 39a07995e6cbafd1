"""The matches of computer players in the database."""

from sqlalchemy import select
from sqlalchemy.orm import aliased

from db.api.computers import COMPUTER_PLAYERS
from db.api.places import DiscordId
from db.models import MatchRow, SeatRow
from db.stores.base import StorePart


class ComputerPart(StorePart):
    """The queries of db.api.computers."""

    async def last_computer(self, user: DiscordId, game: str) -> DiscordId | None:
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
