"""Downtime: time during which the bot was not connected is given back to the clocks that ran."""

from datetime import datetime, timedelta

from bot.app.system import Clock
from db.api.store import Store

BEAT = timedelta(seconds=10)
"""The time between two notes in the store that the bot is connected."""

PATIENCE = timedelta(seconds=30)
"""A gap between two notes that counts as downtime although no disconnection was seen: the machine slept."""


class Presence:
    """Notes if this process is connected to Discord. It begins disconnected."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._last: datetime | None = None
        self._moved: set[int] = set()

    async def here(self) -> None:
        """Note that the bot is connected. Time that was lost before is given back first.

        Called before time is judged, and at least every BEAT. With many processes it is enough that one is connected.
        """
        now = self._clock.now()
        if self._last is not None and timedelta(0) <= now - self._last < BEAT:
            return
        patience = timedelta(0) if self._last is None else PATIENCE
        self._moved |= set(await self._store.alive(now, patience))
        self._last = now

    def away(self) -> bool:
        """Note that the connection is lost; the time until `here` is called is given back. True if this is news."""
        was_here, self._last = self._last is not None, None
        return was_here

    def given_back(self) -> frozenset[int]:
        """The matches to which time was given back since the last call."""
        moved, self._moved = frozenset(self._moved), set()
        return moved
