"""Pacing of requests that Discord limits more strictly than its responses announce."""

from collections.abc import Hashable
from datetime import datetime, timedelta

REMEMBERED = 10_000
"""Reserved times that are remembered; beyond this, all are reserved again."""


class Pace:
    """Reserves times for requests: one every `span`, and `burst` at once after a pause. Keys are paced separately."""

    def __init__(self, span: timedelta, burst: int = 1) -> None:
        self._span = span
        self._ahead = (burst - 1) * span
        self._free_at: dict[Hashable, datetime] = {}
        self._reserved: dict[tuple[Hashable, Hashable], datetime] = {}

    def wait(self, item: Hashable, now: datetime, key: Hashable = None) -> timedelta:
        """Return the time until a request for `item` may be made. It is zero if the request may be made now.

        The first call reserves the time. The call that returns zero ends the reservation.
        """
        at = self._reserved.get((key, item))
        if at is None:
            free = max(now, self._free_at.get(key, now))
            at, self._free_at[key] = free - self._ahead, free + self._span
        if at <= now:
            self._reserved.pop((key, item), None)
            return timedelta()
        if len(self._reserved) >= REMEMBERED:
            self._reserved.clear()
        self._reserved[key, item] = at
        return at - now

    def queue(self, now: datetime, key: Hashable = None) -> timedelta:
        """Return the time that the next item would have to wait."""
        return max(timedelta(), self._free_at.get(key, now) - self._ahead - now)
