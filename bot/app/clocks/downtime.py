"""Downtime: time during which the bot was not connected is given back to the clocks that ran."""

from collections.abc import Collection
from datetime import datetime, timedelta

from bot.app.system import Clock
from db.api.shards import DIRECT, Ownership
from db.api.store import Store

BEAT = timedelta(seconds=10)
"""The time between two notes in the store that the bot is connected."""

PATIENCE = timedelta(seconds=30)
"""A gap between two notes that counts as downtime although no disconnection was seen: the machine slept."""


class Presence:
    """Notes which shards this process connects to Discord. It begins disconnected."""

    def __init__(self, store: Store, clock: Clock, ownership: Ownership) -> None:
        self._store = store
        self._clock = clock
        self._ownership = ownership
        self._last: dict[int, datetime] = {}
        """By shard that is connected here: the last note of that in the store."""
        self._moved: set[int] = set()

    async def here(self, shard: int = DIRECT) -> None:
        """Note that a shard is connected. Time that was lost before is given back first.

        Called before time is judged, and at least every BEAT. Another process may serve the shard, when a member acts
        in a match of another server than theirs: its notes count as well.
        """
        now, last = self._clock.now(), self._last.get(shard)
        if last is not None and timedelta(0) <= now - last < BEAT:
            return
        ours = shard in self._ownership.served.numbers
        patience = timedelta(0) if ours and last is None else PATIENCE
        self._moved |= set(await self._store.alive(now, patience, shard))
        if ours:
            self._last[shard] = now

    def away(self, shard: int = DIRECT) -> bool:
        """Note that a shard is not connected; the time until `here` is called is given back. True if this is news."""
        return self._last.pop(shard, None) is not None

    def only(self, shards: Collection[int]) -> bool:
        """Note that no other shards than these are connected here. True if one of the others was."""
        lost = [shard for shard in set(self._last).difference(shards) if self.away(shard)]
        return bool(lost)

    def given_back(self) -> frozenset[int]:
        """The matches to which time was given back since the last call."""
        moved, self._moved = frozenset(self._moved), set()
        return moved
