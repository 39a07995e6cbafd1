"""Members in the database: preferences and blocks."""

from collections.abc import Collection
from datetime import datetime
from typing import Unpack

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import BlockRow, MemberRow
from db.processes.notifications import Notification, Subject
from db.stores.base import StorePart, run_at_once, upsert
from db.stores.known import add_members
from db.stores.standings.ratings.listing import list_member
from db.values.members import Member, MemberChange, is_computer
from db.values.places import DiscordId


async def computers(session: AsyncSession, users: Collection[DiscordId]) -> frozenset[DiscordId]:
    """Return those of these users who are computer players."""
    query = select(MemberRow.user_id).where(MemberRow.user_id.in_(users), MemberRow.computer)
    return frozenset(filter(is_computer, users)) | frozenset(await session.scalars(query))


class MemberStore(StorePart):
    """The preferences and blocks of members."""

    async def get(self, user: DiscordId) -> Member:
        """Return the preferences of a member, or the defaults."""
        async with self._sessions.read() as session:
            row = await session.get(MemberRow, user)
        return Member(user) if row is None else row.value()

    async def get_all(self, users: Collection[DiscordId]) -> list[Member]:
        """Return the preferences of those of `users` who have chosen something, by id."""
        query = select(MemberRow).where(MemberRow.user_id.in_(users)).order_by(MemberRow.user_id)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def change(self, user: DiscordId, **changes: Unpack[MemberChange]) -> None:
        """Change these preferences of a member and leave the others. Global leaderboards follow at once."""
        async with self._sessions.write() as session:
            await upsert(session, MemberRow, {"user_id": user}, changes)
            if "listed" in changes:
                await list_member(session, user, on=changes["listed"])
            await run_at_once(session, lambda it: self._tell_all(it, Notification(Subject.MEMBER, user)))

    async def block(self, user: DiscordId, blocked: DiscordId, at: datetime) -> None:
        """Record that `user` wants no games with `blocked`. Blocking again renews the time."""
        async with self._sessions.write() as session:
            await add_members(session, [user])
            await upsert(session, BlockRow, {"user_id": user, "blocked_id": blocked}, {"blocked_at": at})

    async def unblock(self, user: DiscordId, blocked: DiscordId) -> bool:
        """Remove a block. Return True if there was one."""
        gone = delete(BlockRow).where(BlockRow.user_id == user, BlockRow.blocked_id == blocked)
        async with self._sessions.write() as session:
            return bool((await session.execute(gone.returning(BlockRow.user_id))).all())

    async def blocked(self, user: DiscordId) -> list[DiscordId]:
        """Return the members that `user` has blocked, in the order of blocking."""
        query = (
            select(BlockRow.blocked_id)
            .where(BlockRow.user_id == user)
            .order_by(BlockRow.blocked_at, BlockRow.blocked_id)
        )
        async with self._sessions.read() as session:
            return list(await session.scalars(query))

    async def blockers(self, user: DiscordId, others: Collection[DiscordId]) -> list[DiscordId]:
        """Return those of `others` who have blocked `user`, by id."""
        query = (
            select(BlockRow.user_id)
            .where(BlockRow.user_id.in_(others), BlockRow.blocked_id == user)
            .order_by(BlockRow.user_id)
        )
        async with self._sessions.read() as session:
            return list(await session.scalars(query))
