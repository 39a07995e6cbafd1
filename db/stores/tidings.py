"""What servers have still to be told of their matches, in the database.

It is noted in the transaction in which it happens, and struck out when it has been told: whoever is killed in between
leaves it to the next one.
"""

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import MatchRow, TidingRow
from db.stores.base import Kept, upsert


class TidingStore(Kept):
    """Matches whose end, or whose result being taken back, has still to be told."""

    async def unannounced(self) -> list[int]:
        """The matches of which something has to be told, the one that has waited longest first."""
        query = select(TidingRow.match_id).order_by(TidingRow.since)
        async with self._sessions.read() as session:
            return list(await session.scalars(query))

    async def unannounced_since(self, match: int) -> datetime | None:
        """Since when something of a match has to be told; None if nothing has."""
        async with self._sessions.read() as session:
            return await session.scalar(select(TidingRow.since).where(TidingRow.match_id == match))

    async def announced(self, match: int, since: datetime) -> None:
        """What was to be told of a match since then has been; what has happened later still waits."""
        async with self._sessions.write() as session:
            await session.execute(
                delete(TidingRow).where(TidingRow.match_id == match, TidingRow.since == since)
            )


async def to_be_told(session: AsyncSession, match: MatchRow, at: datetime) -> None:
    """Note that the end of a match, whose row is locked, has to be told, if there is a server to tell."""
    if match.guild is not None:
        await upsert(session, TidingRow, {"match_id": match.id}, {"since": at})
