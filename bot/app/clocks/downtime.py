"""Whether the host is there. Time in which it was not is given back to the clocks that ran."""

from datetime import datetime, timedelta

from bot.app.system import Clock
from db.api.store import Store

BEAT = timedelta(seconds=10)
"""How often the host says that it is there."""

PATIENCE = timedelta(seconds=30)
"""A silence that a host which knows of no interruption takes for one: its machine slept."""


class Presence:
    """What one process knows of being connected. It begins away."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._last: datetime | None = None
        self._moved: set[int] = set()

    async def here(self) -> None:
        """Say that the host is there. Whatever was lost before is given back first.

        Called by whoever judges time, and at least every BEAT. Of many processes it is enough that one is there.
        """
        now = self._clock.now()
        if self._last is not None and timedelta(0) <= now - self._last < BEAT:
            return
        patience = timedelta(0) if self._last is None else PATIENCE
        self._moved |= set(await self._store.alive(now, patience))
        self._last = now

    def away(self) -> bool:
        """The connection is lost: all time until `here` is called again is to be given back. Whether this is news."""
        was_here, self._last = self._last is not None, None
        return was_here

    def given_back(self) -> frozenset[int]:
        """The matches to which time was given back since this was last asked."""
        moved, self._moved = frozenset(self._moved), set()
        return moved
