"""Announcements of results in the database.

They are stored in the transaction that ends the match and deleted once posted: if the bot stops in between, it posts
them after its next start.
"""

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import AnnouncementRow, MatchRow
from db.stores.base import StorePart, upsert


class AnnouncementPart(StorePart):
    """The queries of db.api.matches.announcements."""

    async def unannounced(self) -> list[int]:
        query = (
            select(AnnouncementRow.match_id)
            .join(MatchRow, MatchRow.id == AnnouncementRow.match_id)
            .where(self._served(MatchRow.guild))
            .order_by(AnnouncementRow.since)
        )
        async with self._sessions.read() as session:
            return list(await session.scalars(query))

    async def unannounced_since(self, match: int) -> datetime | None:
        query = select(AnnouncementRow.since).where(AnnouncementRow.match_id == match)
        async with self._sessions.read() as session:
            return await session.scalar(query)

    async def announced(self, match: int, since: datetime) -> None:
        done = delete(AnnouncementRow).where(
            AnnouncementRow.match_id == match, AnnouncementRow.since == since
        )
        async with self._sessions.write() as session:
            await session.execute(done)


async def announce_later(session: AsyncSession, match: MatchRow, at: datetime) -> None:
    """Store that the end of a match must be announced, if it is in a server. The match's row must be locked."""
    if match.guild is not None:
        await upsert(session, AnnouncementRow, {"match_id": match.id}, {"since": at})
