"""Servers in the database: settings, alerts, and the deletion of the data of servers that the bot has left."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Unpack

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import (
    LEAGUES,
    PENDING,
    PODIUM,
    PUZZLES,
    AlertRow,
    BanRow,
    Base,
    ChallengeRow,
    CorrectedSkillRow,
    DepartureRow,
    DirectMessageRow,
    EventRow,
    ExclusionRow,
    InterestServerRow,
    InvitationRow,
    MatchRow,
    MomentRow,
    PairingRow,
    PostRow,
    PuzzleAttemptRow,
    PuzzleRunRow,
    RatedSeatRow,
    RatingRow,
    RevertedSeatRow,
    ServerRow,
    TallyRow,
    TitleRoleRow,
    TitleRow,
)
from db.processes.notifications import Subject
from db.stores.base import StorePart, add_members, add_server, inserting, run_at_once, upsert, within
from db.stores.standings.rows import share_ratings
from db.values.places import EVERY, DiscordId, Shards
from db.values.posts import BOARDS, PostKind
from db.values.servers import ServerChange, ServerSettings

PAGE = 500
"""The largest number of servers that one query returns."""

OUTLIVED = (RatedSeatRow.guild, RevertedSeatRow.guild, PuzzleAttemptRow.guild, BanRow.guild_id)
"""The columns that are emptied, not deleted, with a server: its matches still count on global leaderboards, and the
puzzles that were done there still count for those who did them. A ban of the server is recognized by its digest."""


class ServerStore(StorePart):
    """The settings of servers, alerts to those who manage them, and departures of the bot."""

    async def settings(self, guild: DiscordId) -> ServerSettings:
        """Return the settings of a server, or the defaults."""
        row = await self._get(ServerRow, guild)
        return ServerSettings(guild) if row is None else row.value()

    async def change(self, guild: DiscordId, **changes: Unpack[ServerChange]) -> None:
        """Change these settings of a server and leave the others.

        If pins are turned off, the outbox unpins the pinned boards, and those that are just being pinned.
        """
        async with self._sessions.write() as session:
            await upsert(session, ServerRow, {"guild_id": guild}, changes)
            if not changes.get("pins", True):
                # Until a board is recorded as pinned, its post is pending.
                boards = PostRow.guild == guild, PostRow.kind == PostKind.BOARD
                pinned = update(PostRow).where(*boards, or_(PostRow.pinned, PENDING))
                await session.execute(pinned.values(version=PostRow.version + 1))
            await run_at_once(session, self._tell, Subject.SERVER, guild, guild)

    async def with_leagues(self, season: str, limit: int) -> Sequence[ServerSettings]:
        """Return the settings of at most `limit` served servers whose leagues are still to be opened for a month."""
        before = func.coalesce(ServerRow.leagues_opened, "") < season
        theirs = LEAGUES, before, self._served(ServerRow.guild_id)
        query = select(ServerRow).where(*theirs).order_by(ServerRow.guild_id).limit(limit)
        return [it.value() for it in await self._scalars(query)]

    async def leagues_opened(self, guild: DiscordId, season: str) -> None:
        """Record that the leagues of a server have been opened for a month."""
        opened = update(ServerRow).where(ServerRow.guild_id == guild)
        await self._write(opened.values(leagues_opened=season))

    async def excluded(self, guild: DiscordId) -> list[DiscordId]:
        """Return the members whom a server has excluded from its games, in the order of exclusion."""
        row = ExclusionRow
        query = select(row.user_id).where(row.guild_id == guild).order_by(row.excluded_at, row.user_id)
        return await self._scalars(query)

    async def exclude(self, guild: DiscordId, users: Collection[DiscordId], at: datetime) -> None:
        """Exclude these members from the games of a server, and admit all others."""
        row = ExclusionRow
        rows = [{"guild_id": guild, "user_id": user, "excluded_at": at} for user in users]
        async with self._sessions.write() as session:
            others = row.guild_id == guild, row.user_id.not_in(users)
            await session.execute(delete(row).where(*others))
            await add_server(session, guild)
            await add_members(session, users)
            if rows:
                await session.execute(inserting(session, row).values(rows).on_conflict_do_nothing())

    async def due(
        self, kind: PostKind, key: str, hours: int, limit: int
    ) -> Sequence[tuple[DiscordId, DiscordId | None]]:
        """Return served servers that want a post of this kind and have none of this key, each with its channel.

        Daily and weekly posts are wanted from an hour on that each server chose: `hours` have passed since the
        beginning of the day. The channel of a podium is None where the server chose no channel for results.
        """
        found = await self._rows(self._built(self._due, kind, limit), of_key=key, hours=hours)
        return [(guild, into) for guild, into in found]

    def _due(self, kind: PostKind, limit: int) -> Select[DiscordId, DiscordId | None]:
        hours = ServerRow.puzzle_hour <= bindparam("hours")
        wanted = {
            PostKind.PODIUM: PODIUM,
            PostKind.PUZZLE: PUZZLES & hours,
            PostKind.MOMENT: PUZZLES & ServerRow.weekly_moment & hours,
        }
        channel = ServerRow.results if kind is PostKind.PODIUM else ServerRow.puzzle_channel
        added = exists().where(
            PostRow.kind == kind, PostRow.subject == ServerRow.guild_id, PostRow.key == bindparam("of_key")
        )
        return (
            select(ServerRow.guild_id, channel)
            .where(wanted[kind], ~added, self._served(ServerRow.guild_id))
            .order_by(ServerRow.guild_id)
            .limit(limit)
        )

    async def alert(self, guild: DiscordId, channel: DiscordId, at: datetime, since: datetime) -> bool:
        """Record an alert about a channel at `at`, unless there was one between `since` and `at`.

        Return True if it was recorded.

        Of several calls at once only one returns True.
        """
        async with self._sessions.write() as session:
            made = inserting(session, AlertRow).values(channel_id=channel, guild_id=guild, alerted_at=at)
            made = made.on_conflict_do_update(
                index_elements=["channel_id"],
                set_={"alerted_at": at},
                # A time in the future is from before the clock was set back.
                where=or_(AlertRow.alerted_at <= since, AlertRow.alerted_at > at),
            )
            await add_server(session, guild)
            return (await session.execute(made.returning(AlertRow.channel_id))).first() is not None

    async def known(self, after: DiscordId = 0, limit: int = PAGE) -> Sequence[DiscordId]:
        """Return servers with data whose ids are greater than `after`, by id; at most `limit`."""
        query = select(ServerRow.guild_id).where(ServerRow.guild_id > after)
        return await self._scalars(query.order_by(ServerRow.guild_id).limit(limit))

    async def depart(self, at: datetime, *guilds: DiscordId) -> None:
        """Record that the bot is no longer in these servers. An earlier departure keeps its time."""
        rows = [{"guild_id": guild, "left_at": at} for guild in guilds]
        async with self._sessions.write() as session:
            await session.execute(inserting(session, DepartureRow).values(rows).on_conflict_do_nothing())

    async def come_back(self, *guilds: DiscordId) -> None:
        """Record that the bot is in these servers."""
        await self._write(delete(DepartureRow).where(DepartureRow.guild_id.in_(guilds)))

    async def gone(self, guilds: Collection[DiscordId]) -> Sequence[DiscordId]:
        """Return those of these servers whose departure is recorded, by id."""
        query = select(DepartureRow.guild_id).where(DepartureRow.guild_id.in_(guilds))
        return sorted(await self._scalars(query))

    async def departed(
        self, before: datetime, shards: Shards = EVERY, limit: int = PAGE
    ) -> Sequence[DiscordId]:
        """Return the servers of some shards that the bot left at `before` or earlier, the longest ago first.

        At most `limit`.
        """
        query = (
            select(DepartureRow.guild_id)
            .where(DepartureRow.left_at <= before, within(shards, DepartureRow.guild_id))
            .order_by(DepartureRow.left_at, DepartureRow.guild_id)
            .limit(limit)
        )
        return await self._scalars(query)

    async def forget(self, guild: DiscordId, before: datetime) -> bool:
        """Delete all data of a server that the bot left at `before` or earlier. Return True if this call did it."""
        async with self._sessions.write() as session:
            row = await session.get(DepartureRow, guild, with_for_update=True)
            if row is None or row.left_at > before:
                return False
            await forget_all(session, guild)
        return True


async def forget_all(session: AsyncSession, guild: DiscordId) -> None:
    """Delete all data of a server."""
    # Locks in the order of db.stores.standings.rows: transactions that change these matches
    # finish first.
    played = select(MatchRow.id).where(MatchRow.guild == guild)
    await session.execute(played.order_by(MatchRow.id).with_for_update())
    await run_at_once(session, share_ratings)
    for column in OUTLIVED:
        await session.execute(
            update(column.class_).where(column == guild).values({column: None}),
            execution_options={"synchronize_session": False},
        )
    for table, theirs in belongings(guild).items():
        await session.execute(delete(table).where(theirs), execution_options={"synchronize_session": False})


def belongings(guild: DiscordId) -> Mapping[type[Base], ColumnElement[bool]]:
    """Return which rows belong to a server; the database deletes with them what refers to them ON DELETE CASCADE.

    Other rows come before those that they refer to.
    """
    matches = select(MatchRow.id).where(MatchRow.guild == guild)
    events = select(EventRow.id).where(or_(EventRow.guild == guild, EventRow.guests == guild))
    in_match = ChallengeRow.match_id.in_(matches) | ChallengeRow.rematch_of.in_(matches)
    offered = or_(ChallengeRow.guild == guild, in_match)
    return {
        ChallengeRow: offered,
        MomentRow: MomentRow.guild == guild,
        PuzzleRunRow: PuzzleRunRow.guild == guild,
        PostRow: or_(
            PostRow.guild == guild,
            and_(PostRow.kind.in_(BOARDS), PostRow.subject.in_(matches)),
            and_(PostRow.kind == PostKind.EVENT, PostRow.subject.in_(events)),
        ),
        DirectMessageRow: DirectMessageRow.guild == guild,
        PairingRow: PairingRow.event_id.in_(events),
        TitleRow: TitleRow.guild == guild,
        TitleRoleRow: TitleRoleRow.guild == guild,
        EventRow: or_(EventRow.guild == guild, EventRow.guests == guild),
        RatingRow: RatingRow.guild == guild,
        TallyRow: TallyRow.guild == guild,
        CorrectedSkillRow: CorrectedSkillRow.guild == guild,
        MatchRow: MatchRow.guild == guild,
        InterestServerRow: InterestServerRow.guild_id == guild,
        ExclusionRow: ExclusionRow.guild_id == guild,
        InvitationRow: InvitationRow.guild == guild,
        ServerRow: ServerRow.guild_id == guild,
        AlertRow: AlertRow.guild_id == guild,
        DepartureRow: DepartureRow.guild_id == guild,
    }
