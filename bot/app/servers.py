"""Servers that removed the bot, whose data is deleted after a grace period; and alerts to those who run a server."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

import structlog

from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.stores.servers import ServerStore
from db.values.clocks import TimeControl
from db.values.places import EVERY, DiscordId, Shards

log = structlog.get_logger()

PRESENCE = "presence"
"""Name of the task whose items are shards whose servers are compared with the stored ones."""
DEPARTURES = "departures"
"""Name of the task whose items are servers whose data is deleted."""
PAUSE = timedelta(days=1)
"""The least time between two alerts about the same channel."""

NEW_SERVERS_CLOCK = TimeControl(timedelta(days=3))

BATCH = 500
"""The most servers that one transaction writes: it takes some milliseconds, for which members wait."""


class Alerts:
    """The alerts about channels. They are stored, so that neither a restart nor a second process repeats one."""

    def __init__(self, store: ServerStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def due(self, guild: DiscordId, channel: DiscordId) -> bool:
        """Return True if an alert about this channel may be sent now. The alert then counts as sent."""
        now = self._clock.now()
        return await self._store.alert(guild, channel, now, now - PAUSE)


class Departures:
    """The record of servers that removed the bot. A server that cannot be reached has not removed it."""

    def __init__(self, store: ServerStore, clock: Clock, grace: timedelta, rounds: Rounds) -> None:
        self._store = store
        self._rounds = rounds
        self._clock = clock
        self._grace = grace

    async def left(self, guild: DiscordId) -> None:
        """Note that a server removed the bot."""
        await self._store.depart(self._clock.now(), guild)

    async def joined(self, guild: DiscordId, *, threads: bool) -> None:
        """Note that a server added the bot, possibly again.

        In a server of which nothing is stored, a game has the clock NEW_SERVERS_CLOCK if no other is chosen, so that it
        ends even if somebody forgets it; with `threads`, it gets its own thread, too.
        """
        if await self._store.known(guild - 1, 1) != [guild]:
            await self._store.change(guild, threads=threads, time_control=NEW_SERVERS_CLOCK)
        await self._store.come_back(guild)

    async def compare_shards(self, present: Mapping[int, Collection[DiscordId]], count: int) -> Sequence[int]:
        """Compare the servers of each shard, of `count` in all. Return the shards for which that succeeded."""
        compared: list[int] = []

        async def compare(shard: int) -> None:
            await self.compare(present[shard], Shards.some(count, {shard}))
            compared.append(shard)

        await self._rounds.each(PRESENCE, sorted(present), compare)
        return compared

    async def compare(self, present: Collection[DiscordId], shards: Shards = EVERY) -> None:
        """Record which servers of some shards the bot has joined and left, by those that it is in now."""
        here, now, after = set(present), self._clock.now(), 0
        for guilds in _batches(here):
            if back := await self._store.gone(guilds):
                await self._store.come_back(*back)
        while guilds := await self._store.known(after, BATCH):
            absent = [guild for guild in guilds if guild not in here and shards.contains(guild)]
            recorded = await self._store.gone(absent)
            if new := [guild for guild in absent if guild not in recorded]:
                await self._store.depart(now, *new)
            after = guilds[-1]

    async def sweep(self, present: Collection[DiscordId], shards: Shards = EVERY) -> Sequence[DiscordId]:
        """Delete the data of servers of some shards whose grace period is over, except those `present`.

        Return the servers deleted.
        """
        left_before, forgotten = self._clock.now() - self._grace, list[DiscordId]()

        async def forget(guild: DiscordId) -> None:
            if guild in present:
                # Its return was not recorded. Until it is, the server would take up a place of the query.
                await self._store.come_back(guild)
            elif await self._store.forget(guild, left_before):
                forgotten.append(guild)
                log.info("server.data_deleted", guild=guild)

        limit = await self._rounds.limit(DEPARTURES)
        await self._rounds.each(DEPARTURES, await self._store.departed(left_before, shards, limit), forget)
        return forgotten


def _batches(guilds: Iterable[DiscordId]) -> Iterator[Sequence[DiscordId]]:
    """Yield the servers in order, as many at a time as one transaction may write."""
    ordered = sorted(guilds)
    for start in range(0, len(ordered), BATCH):
        yield ordered[start : start + BATCH]
