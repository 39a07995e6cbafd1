"""Administration in the database: bans, announcements, actions of the owner, and failed items of background tasks."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, null, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import (
    FINISHED,
    OPEN,
    PENDING,
    PLAYING,
    RUNNING,
    AdminActionRow,
    AnnouncementOfOwnerRow,
    BanRow,
    ChallengeRow,
    DirectMessageRow,
    FailedItemRow,
    MatchRow,
    PlyRow,
    PostRow,
    SeatRow,
)
from db.processes.notifications import Notification, Subject
from db.stores.base import StorePart, database_size, named, run_at_once, upsert, within
from db.values.administration import AdminAction, Announcement, Backlog, Ban, ServerActivity
from db.values.failures import FailedItem
from db.values.places import DiscordId, Shards
from db.values.posts import PostKind

SERVERS = 10_000
"""The largest number of servers whose activity one query returns."""


class AdministrationStore(StorePart):
    """The bans, announcements and their log. Each change is stored together with its entry in the log.

    Other processes are told of bans and announcements in the same transaction.
    """

    async def bans(self, at: datetime, after: int, limit: int) -> Sequence[Ban]:
        """Return bans that hold at `at` and whose ids are greater than `after`, by id; at most `limit`."""
        query = select(BanRow).where(BanRow.id > after, _holds(at)).order_by(BanRow.id).limit(limit)
        return [row.value() for row in await self._scalars(query)]

    async def banned(self, at: datetime, digests: Collection[str]) -> Collection[str]:
        """Return those of these digests whose bans hold at `at`."""
        query = select(BanRow.digest).where(BanRow.digest.in_(digests), _holds(at))
        return await self._scalars(query)

    async def ban(self, ban: Ban, action: AdminAction) -> None:
        """Store a ban, in the place of an earlier one of the same member or server."""
        async with self._sessions.write() as session:
            await self._tell_of_change(session)
            await session.execute(delete(BanRow).where(BanRow.digest == ban.digest))
            session.add(BanRow(user_id=ban.user, guild_id=ban.guild, **named(ban, "user", "guild", "id")))
            session.add(_row(action))

    async def unban(self, ban: int, action: AdminAction) -> bool:
        """Delete a ban. Return False if there is none with this id; then nothing is stored."""
        async with self._sessions.write() as session:
            gone = await session.execute(delete(BanRow).where(BanRow.id == ban).returning(BanRow.id))
            if gone.one_or_none() is None:
                return False
            await self._tell_of_change(session)
            session.add(_row(action))
            return True

    async def banned_games(
        self, at: datetime, shards: Shards | None = None, limit: int | None = None
    ) -> Sequence[tuple[int, DiscordId | None]]:
        """Return the running games of members and servers whose bans hold at `at`, those of these shards or all.

        Each game with the banned member who plays it, or None if its server is banned; the oldest game first. At most
        `limit`, which are any of them.
        """
        banned = select(BanRow).where(_holds(at)).subquery()
        of_members = (
            select(SeatRow.match_id, SeatRow.user_id)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(
                RUNNING,
                PLAYING,
                SeatRow.user_id.in_(select(banned.c.user_id).where(banned.c.user_id.is_not(None))),
            )
        )
        of_servers = (
            select(MatchRow.id, null()).join(banned, banned.c.guild_id == MatchRow.guild).where(RUNNING)
        )
        if shards is not None:
            theirs = within(shards, MatchRow.guild)
            of_members, of_servers = of_members.where(theirs), of_servers.where(theirs)
        async with self._sessions.read() as session:
            found = [
                (match, user)
                for query in (of_servers, of_members)
                # Not ordered here: SQLite would go through all matches in the order of their ids.
                for match, user in await session.execute(query.limit(limit))
            ]
        return sorted(found, key=lambda it: it[0])[:limit]

    async def announcement(self) -> Announcement | None:
        """Return the announcement, also one that is over, or None."""
        row = await self._get(AnnouncementOfOwnerRow, 1)
        return None if row is None else row.value()

    async def announce(self, announcement: Announcement | None, action: AdminAction) -> None:
        """Store an announcement in the place of the one before; None deletes it."""
        async with self._sessions.write() as session:
            await self._tell_of_change(session)
            await session.execute(delete(AnnouncementOfOwnerRow))
            if announcement is not None:
                session.add(AnnouncementOfOwnerRow(id=1, **named(announcement)))
            session.add(_row(action))

    async def actions(self, limit: int) -> Sequence[AdminAction]:
        """Return the last actions, the newest first."""
        query = select(AdminActionRow).order_by(AdminActionRow.id.desc()).limit(limit)
        return [row.value() for row in await self._scalars(query)]

    async def log_action(self, action: AdminAction) -> None:
        """Store an action that changes nothing else in the store."""
        async with self._sessions.write() as session:
            session.add(_row(action))

    async def activity(self, since: datetime) -> Sequence[ServerActivity]:
        """Return how much is played in the servers with most games that run or ended after `since`: at most SERVERS."""
        running = func.sum(case((RUNNING, 1), else_=0))
        lately = func.sum(case((MatchRow.finished_at > since, 1), else_=0))
        query = (
            select(MatchRow.guild, running, lately)
            .where(MatchRow.guild.is_not(None))
            .group_by(MatchRow.guild)
            .order_by((running + lately).desc(), MatchRow.guild)
            .limit(SERVERS)
        )
        return [
            ServerActivity(guild, int(running), int(lately))
            for guild, running, lately in await self._rows(query)
            if guild is not None
        ]

    async def moves_since(self, since: datetime) -> int:
        """Return how many entries were made after `since` in games that run or ended after it."""
        # From the matches, which have an index by their end; plies have none by time.
        query = (
            select(func.count())
            .select_from(MatchRow)
            .join(PlyRow, PlyRow.match_id == MatchRow.id)
            .where(or_(RUNNING, FINISHED & (MatchRow.finished_at > since)), PlyRow.played_at > since)
        )
        return await self._scalar(query) or 0

    async def database_size(self) -> int:
        """Return the bytes that the database takes on its disk."""
        async with self._sessions.read() as session:
            return await database_size(session)

    async def boards_waiting(self) -> int:
        """Return how many games have something played that no board shows yet."""
        return await self._scalar(select(func.count()).where(PENDING, PostRow.kind == PostKind.BOARD)) or 0

    async def backlog(self, lately: datetime) -> Backlog:
        """Return what is running and what waits in the servers of this process. Lately is after `lately`."""
        served = self._served(MatchRow.guild)
        running = select(MatchRow.game, func.count()).where(RUNNING, served).group_by(MatchRow.game)
        lively = and_(PostRow.guild.is_not(None), PostRow.due_at > lately)
        pending = (
            select(PostRow.kind, lively, func.count())
            .where(PENDING, PostRow.kind != PostKind.CARD, self._served(PostRow.guild))
            .group_by(PostRow.kind, lively)
        )
        cards = (
            select(func.count())
            .select_from(PostRow)
            .join(ChallengeRow, and_(ChallengeRow.id == PostRow.subject, PostRow.kind == PostKind.CARD))
            .where(PENDING, OPEN, PostRow.message.is_(None), PostRow.due_at > lately)
            .where(self._served(PostRow.guild))
        )
        queued = (
            select(func.count()).select_from(DirectMessageRow).where(self._served(DirectMessageRow.guild))
        )

        def count(connection: Connection) -> Backlog:
            games = dict(connection.execute(running).all())
            posts = {(kind, bool(new)): number for kind, new, number in connection.execute(pending)}
            results = sum(posts.get((kind, True), 0) for kind in (PostKind.RESULT, PostKind.VOID))
            return Backlog(
                games,
                posts.get((PostKind.BOARD, True), 0),
                posts.get((PostKind.BOARD, False), 0),
                connection.execute(cards).scalar_one(),
                results,
                connection.execute(queued).scalar_one(),
            )

        return await self._sessions.read_at_once(count)

    async def _tell_of_change(self, session: AsyncSession) -> None:
        await run_at_once(session, self._tell_all, Notification(Subject.ADMINISTRATION, 0))


def _holds(at: datetime) -> ColumnElement[bool]:
    """Return the condition that a ban is not over at `at`."""
    return or_(BanRow.until.is_(None), BanRow.until > at)


def _row(action: AdminAction) -> AdminActionRow:
    return AdminActionRow(at=action.at, user_id=action.user, what=action.what)


class FailedItemStore(StorePart):
    """The failed items of all background tasks."""

    async def listed(self, limit: int) -> Sequence[FailedItem]:
        """Return failed items, ordered by task and time of the first failure; at most `limit`."""
        query = (
            select(FailedItemRow)
            .order_by(FailedItemRow.task, FailedItemRow.since, FailedItemRow.item)
            .limit(limit)
        )
        return [row.value() for row in await self._scalars(query)]

    async def keep(self, failed: FailedItem) -> None:
        """Store a failed item, or replace it if it is stored already."""
        key = {"task": failed.task, "item": failed.item}
        async with self._sessions.write() as session:
            await upsert(session, FailedItemRow, key, named(failed, *key))

    async def forget(
        self, task: str | None = None, item: str | None = None, *, due_before: datetime | None = None
    ) -> int:
        """Delete failed items: one, all of a task, or all. Return their number.

        With `due_before`, delete only those whose next attempt was due earlier.
        """
        gone = delete(FailedItemRow)
        if task is not None:
            gone = gone.where(FailedItemRow.task == task)
        if item is not None:
            gone = gone.where(FailedItemRow.item == item)
        if due_before is not None:
            gone = gone.where(FailedItemRow.retry_at < due_before)
        return await self._write(gone)
