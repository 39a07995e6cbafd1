"""Members in the database: their choices and blocks, their daily messages, and their interests."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from typing import Unpack

from sqlalchemy import Connection, case, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import (
    BlockRow,
    DigestRow,
    InterestRow,
    InterestServerRow,
    MemberRow,
)
from db.processes.notifications import Notification, Subject
from db.stores.base import StorePart, add_members, add_server, named, run_at_once, upsert
from db.stores.posts import queue_messages
from db.stores.standings.rows import list_member
from db.values.members import (
    Digest,
    Interest,
    Member,
    MemberChange,
    Notice,
    is_computer,
)
from db.values.places import DiscordId
from db.values.posts import News


async def computers(session: AsyncSession, users: Collection[DiscordId]) -> frozenset[DiscordId]:
    """Return those of these users who are computer players."""
    query = select(MemberRow.user_id).where(MemberRow.user_id.in_(users), MemberRow.computer)
    return frozenset(filter(is_computer, users)) | frozenset(await session.scalars(query))


class MemberStore(StorePart):
    """The preferences and blocks of members."""

    async def get(self, user: DiscordId) -> Member:
        """Return the preferences of a member, or the defaults."""
        row = await self._get(MemberRow, user)
        return Member(user) if row is None else row.value()

    async def get_all(self, users: Collection[DiscordId]) -> list[Member]:
        """Return the preferences of those of `users` who have chosen something, by id."""
        query = select(MemberRow).where(MemberRow.user_id.in_(users)).order_by(MemberRow.user_id)
        return [row.value() for row in await self._scalars(query)]

    async def change(self, user: DiscordId, **changes: Unpack[MemberChange]) -> None:
        """Change these preferences of a member and leave the others. Global leaderboards follow at once."""
        async with self._sessions.write() as session:
            await upsert(session, MemberRow, {"user_id": user}, changes)
            if "listed" in changes:
                await list_member(session, user, on=changes["listed"])
            await run_at_once(session, self._tell_all, Notification(Subject.MEMBER, user))

    async def tell_touched(self, user: DiscordId, match: int) -> None:
        """Tell the other processes at which match a member opens the Activity; 0 for none."""
        told = Notification(Subject.TOUCHED, user, about=match)
        await self._sessions.write_at_once(lambda it: self._tell_all(it, told))

    async def block(self, user: DiscordId, blocked: DiscordId, at: datetime) -> None:
        """Record that `user` wants no games with `blocked`. Blocking again renews the time."""
        async with self._sessions.write() as session:
            await add_members(session, [user])
            await upsert(session, BlockRow, {"user_id": user, "blocked_id": blocked}, {"blocked_at": at})

    async def unblock(self, user: DiscordId, blocked: DiscordId) -> bool:
        """Remove a block. Return True if there was one."""
        gone = delete(BlockRow).where(BlockRow.user_id == user, BlockRow.blocked_id == blocked)
        return bool(await self._write(gone))

    async def blocked(self, user: DiscordId) -> list[DiscordId]:
        """Return the members that `user` has blocked, in the order of blocking."""
        query = (
            select(BlockRow.blocked_id)
            .where(BlockRow.user_id == user)
            .order_by(BlockRow.blocked_at, BlockRow.blocked_id)
        )
        return await self._scalars(query)

    async def blockers(self, user: DiscordId, others: Collection[DiscordId]) -> list[DiscordId]:
        """Return those of `others` who have blocked `user`, by id."""
        query = (
            select(BlockRow.user_id)
            .where(BlockRow.user_id.in_(others), BlockRow.blocked_id == user)
            .order_by(BlockRow.user_id)
        )
        return await self._scalars(query)


class DigestStore(StorePart):
    """The daily messages to members whose notice is DIGEST."""

    async def get(self, user: DiscordId) -> Digest | None:
        """Return the daily message of a member, also if their notice is another now, or None."""
        row = await self._get(DigestRow, user)
        return None if row is None else row.value()

    async def keep(self, digest: Digest) -> None:
        """Store the daily message of a member."""
        user = digest.user
        async with self._sessions.write() as session:
            await add_members(session, [user])
            await upsert(session, DigestRow, {"user_id": user}, named(digest, "user"))

    async def due(self, at: datetime, limit: int) -> Sequence[Digest]:
        """Return at most `limit` daily messages that are due, the longest due first."""
        query = (
            select(DigestRow)
            .join(MemberRow, MemberRow.user_id == DigestRow.user_id)
            .where(DigestRow.due_at <= at, MemberRow.notice == Notice.DIGEST)
            .order_by(DigestRow.due_at, DigestRow.user_id)
            .limit(limit)
        )
        return [row.value() for row in await self._scalars(query)]

    async def queue(self, due: Digest, after: Digest, news: News, at: datetime) -> None:
        """Queue a message that is due, and store when the next one is, unless another process has done so."""
        row = DigestRow
        same = row.user_id == due.user, row.due_at == due.due_at
        changing = update(row).where(*same).values(due_at=after.due_at, since=after.since, until=after.until)

        def queue(connection: Connection) -> None:
            if connection.execute(changing.returning(row.user_id)).first() is not None:
                queue_messages(connection, [due.user], None, news, at)

        await self._sessions.write_at_once(queue)


class InterestStore(StorePart):
    """The wishes of members to be told of open challenges."""

    async def get(self, user: DiscordId) -> Interest | None:
        """Return the interest of a member, or None."""
        theirs = InterestServerRow.user_id == user
        servers = select(InterestServerRow.guild_id).where(theirs).order_by(InterestServerRow.guild_id)
        async with self._sessions.read() as session:
            row = await session.get(InterestRow, user)
            return None if row is None else _interest(row, await session.scalars(servers))

    async def keep(self, interest: Interest) -> None:
        """Store what a member wishes. When they were told last stays as it is."""
        user, wish = interest.user, named(interest, "user", "guilds", "told_at", "told_on", "told")
        async with self._sessions.write() as session:
            await add_members(session, [user])
            await upsert(session, InterestRow, {"user_id": user}, wish)
            await session.execute(delete(InterestServerRow).where(InterestServerRow.user_id == user))
            for guild in interest.guilds:
                await add_server(session, guild)
            if rows := [{"user_id": user, "guild_id": guild} for guild in interest.guilds]:
                await session.execute(insert(InterestServerRow), rows)

    async def forget(self, user: DiscordId) -> None:
        """Delete the interest of a member, if there is one."""
        await self._write(delete(InterestRow).where(InterestRow.user_id == user))

    async def of_server(self, guild: DiscordId, limit: int) -> list[Interest]:
        """Return the interests in a server without their servers, the member told the longest ago first."""
        query = (
            select(InterestRow)
            .join(InterestServerRow, InterestServerRow.user_id == InterestRow.user_id)
            .where(InterestServerRow.guild_id == guild)
            .order_by(InterestRow.told_at.is_not(None), InterestRow.told_at, InterestRow.user_id)
            .limit(limit)
        )
        return [_interest(row) for row in await self._scalars(query)]

    async def tell(self, user: DiscordId, day: date, at: datetime) -> bool:
        """Count a notification of a member. Return False if they have had the most of this day already."""
        row = InterestRow
        room = row.user_id == user, or_(row.told_on.is_(None), row.told_on != day, row.told < row.most)
        told = case((row.told_on == day, row.told + 1), else_=1)
        return bool(await self._write(update(row).where(*room).values(told=told, told_on=day, told_at=at)))


def _interest(row: InterestRow, guilds: Iterable[DiscordId] = ()) -> Interest:
    return row.read_as(Interest, user=row.user_id, guilds=tuple(guilds))
