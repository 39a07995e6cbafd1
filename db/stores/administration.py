"""Bans, the announcement of maintenance and the log of the owner's actions in the database."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import case, delete, func, or_, select

from db.api.administration import AdminAction, Announcement, Ban, ServerActivity
from db.models import (
    FINISHED,
    RUNNING,
    UNSHOWN,
    AdminActionRow,
    AnnouncementOfOwnerRow,
    BanRow,
    MatchRow,
    PlyRow,
)
from db.stores.base import StorePart, database_size


class AdministrationPart(StorePart):
    """The queries of db.api.administration."""

    async def bans(self) -> Sequence[Ban]:
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(select(BanRow).order_by(BanRow.id.desc()))]

    async def ban(self, ban: Ban, action: AdminAction) -> None:
        async with self._sessions.write() as session:
            await session.execute(delete(BanRow).where(BanRow.digest == ban.digest))
            session.add(
                BanRow(
                    digest=ban.digest,
                    user_id=ban.user,
                    guild_id=ban.guild,
                    reason=ban.reason,
                    until=ban.until,
                    made_at=ban.made_at,
                )
            )
            session.add(_row(action))

    async def unban(self, ban: int, action: AdminAction) -> bool:
        async with self._sessions.write() as session:
            gone = await session.execute(delete(BanRow).where(BanRow.id == ban).returning(BanRow.id))
            if gone.one_or_none() is None:
                return False
            session.add(_row(action))
            return True

    async def announcement(self) -> Announcement | None:
        async with self._sessions.read() as session:
            row = await session.get(AnnouncementOfOwnerRow, 1)
            return None if row is None else row.value()

    async def announce(self, announcement: Announcement | None, action: AdminAction) -> None:
        async with self._sessions.write() as session:
            await session.execute(delete(AnnouncementOfOwnerRow))
            if announcement is not None:
                session.add(AnnouncementOfOwnerRow(id=1, text=announcement.text, until=announcement.until))
            session.add(_row(action))

    async def admin_actions(self, limit: int) -> Sequence[AdminAction]:
        query = select(AdminActionRow).order_by(AdminActionRow.id.desc()).limit(limit)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def log_admin_action(self, action: AdminAction) -> None:
        async with self._sessions.write() as session:
            session.add(_row(action))

    async def activity(self, since: datetime) -> Sequence[ServerActivity]:
        running = func.sum(case((RUNNING, 1), else_=0))
        lately = func.sum(case((MatchRow.finished_at > since, 1), else_=0))
        query = (
            select(MatchRow.guild, running, lately)
            .where(MatchRow.guild.is_not(None))
            .group_by(MatchRow.guild)
        )
        async with self._sessions.read() as session:
            return [
                ServerActivity(guild, int(running), int(lately))
                for guild, running, lately in await session.execute(query)
                if guild is not None
            ]

    async def moves_since(self, since: datetime) -> int:
        # From the matches, which have an index by their end; plies have none by time.
        query = (
            select(func.count())
            .select_from(MatchRow)
            .join(PlyRow, PlyRow.match_id == MatchRow.id)
            .where(or_(RUNNING, FINISHED & (MatchRow.finished_at > since)), PlyRow.played_at > since)
        )
        async with self._sessions.read() as session:
            return await session.scalar(query) or 0

    async def database_size(self) -> int:
        async with self._sessions.read() as session:
            return await database_size(session)

    async def boards_waiting(self) -> int:
        async with self._sessions.read() as session:
            return await session.scalar(select(func.count()).select_from(MatchRow).where(UNSHOWN)) or 0


def _row(action: AdminAction) -> AdminActionRow:
    return AdminActionRow(at=action.at, user_id=action.user, what=action.what)
