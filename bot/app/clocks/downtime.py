"""The time by which clocks are judged: outages of the bot and jumps of the wall clock cost no player time.

Deadlines are stored as times of the wall clock. The store keeps one record per shard: when the shard was last
connected. Between two records, time is measured by the monotonic clock from the first of them, so that all deadlines
of a shard fit its stored record. If the wall clock has jumped at the next record, the deadlines are moved with the
record in one transaction. After a restart the record tells how far deadlines must be moved, forward or backward.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.app.system import Clock
from db.stores.clocks import ClockStore
from db.values.clocks import JUMP, TimeControl
from db.values.places import DIRECT, DiscordId, Ownership

BEAT = timedelta(seconds=10)
"""The time between two notes in the store that the bot is connected."""

PATIENCE = timedelta(seconds=30)
"""A gap between two notes that counts as downtime although no disconnection was seen: the process was stopped."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Record:
    """A record that this process made in the store: the wall clock, and the monotonic clock at the same moment."""

    at: datetime
    monotonic: timedelta


class ShardClocks:
    """The clocks of shards. It records which shards this process connects to Discord, at first none."""

    def __init__(self, store: ClockStore, clock: Clock, ownership: Ownership) -> None:
        self._store = store
        self._clock = clock
        self._ownership = ownership
        self._last: dict[int, _Record] = {}
        """By shard that is connected here: the last note of that in the store."""
        self._moved: set[int] = set()
        self._recording = asyncio.Lock()
        self._writes = 0
        """Number of transactions in progress that store clocks."""
        self._no_writes = asyncio.Event()
        self._no_writes.set()

    def now(self, shard: int) -> datetime:
        """Return the time by which the clocks of a shard are judged. It does not jump between two records."""
        last = self._last.get(shard)
        return self._clock.now() if last is None else last.at + self._clock.monotonic() - last.monotonic

    @asynccontextmanager
    async def storing(
        self, guild: DiscordId | None, time_control: TimeControl | None
    ) -> AsyncGenerator[datetime]:
        """Return the time for clocks of a server's match, which the caller computes and stores before it leaves.

        Deadlines are not moved meanwhile. Otherwise a deadline that was computed before a correction of the wall clock
        could be stored after all others had been moved.
        """
        async with self.storing_in(() if time_control is None else (guild,)) as now:
            yield now

    @asynccontextmanager
    async def storing_in(self, guilds: Collection[DiscordId | None]) -> AsyncGenerator[datetime]:
        """Return the time for clocks of matches in several servers, as `storing` does for one server."""
        shards = {self._ownership.shard_of(guild) for guild in guilds}
        if not shards:
            yield self._clock.now()
            return
        # All before the first write: a correction of the wall clock waits until there is none.
        for shard in sorted(shards):
            await self.note_connected(shard)
        self._writes += 1
        self._no_writes.clear()
        try:
            yield max(map(self.now, shards))
        finally:
            self._writes -= 1
            if not self._writes:
                self._no_writes.set()

    async def note_connected(self, shard: int = DIRECT, *, certain: bool = False) -> None:
        """Note that a shard is connected. Time that was lost before is given back first.

        Called before time is judged, and at least every BEAT. Another process may serve the shard, when a member acts
        in a match of another server than theirs. With `certain` the store is read in any case, because that process
        may have moved the deadlines: do this before anybody loses on time.
        """
        if not certain and self._fresh(shard):
            return
        async with self._recording:
            if not certain and self._fresh(shard):
                return
            if self._jump(shard):
                await self._no_writes.wait()
            await self._record(shard)

    def _fresh(self, shard: int) -> bool:
        """Return whether the last record is less than BEAT old, and the wall clock has not jumped since."""
        last = self._last.get(shard)
        return (
            last is not None and self._clock.monotonic() - last.monotonic < BEAT and self._jump(shard) is None
        )

    def _jump(self, shard: int) -> timedelta | None:
        """Return by how much the wall clock has jumped since the last record, or None if it has not."""
        jump = self._clock.now() - self.now(shard) if shard in self._last else timedelta(0)
        return jump if abs(jump) > JUMP else None

    async def _record(self, shard: int) -> None:
        now, monotonic = self._clock.now(), self._clock.monotonic()
        owned = shard in self._ownership.served.numbers
        last = self._last.get(shard)
        if last is None:
            patience = timedelta(0) if owned else PATIENCE
            moved = await self._store.alive(now, patience, shard, owned=owned)
        else:
            passed = monotonic - last.monotonic
            if (jump := self._jump(shard)) is not None:
                log.warning("clock.jumped", shard=shard, seconds=round(jump.total_seconds(), 3))
            if passed > PATIENCE:  # the process was stopped, so nobody could act in that time
                passed = timedelta(0)
            moved = await self._store.alive(now, PATIENCE, shard, last=last.at, passed=passed, owned=owned)
        self._moved |= set(moved)
        if owned:
            self._last[shard] = _Record(now, monotonic)

    def note_disconnected(self, shard: int = DIRECT) -> bool:
        """Note that a shard is not connected. Return False if that was known.

        The time until `note_connected` is called is given back.
        """
        return self._last.pop(shard, None) is not None

    def note_only_connected(self, shards: Collection[int]) -> bool:
        """Note that no other shards than these are connected here. Return True if one of the others was."""
        lost = [shard for shard in set(self._last).difference(shards) if self.note_disconnected(shard)]
        return bool(lost)

    def given_back(self) -> frozenset[int]:
        """Return the matches to which time was given back since the last call."""
        moved, self._moved = frozenset(self._moved), set()
        return moved
