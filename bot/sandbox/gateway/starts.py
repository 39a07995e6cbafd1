"""The limit of sessions that begin: how many at once, and how many in a day."""

from collections import deque

from bot.sandbox.json_types import Object
from bot.sandbox.world.clock import Clock

A_DAY = 24 * 60 * 60.0
TOTAL = 1_000
"""Sessions that may begin in a day, as Discord allows a small bot. One more ends the token."""
PAUSE = 5.0
"""Seconds between two sessions of the same turn; the turn of a shard is its number modulo `max_concurrency`."""


class Starts:
    """Counts the sessions that begin. `concurrency` is Discord's `max_concurrency`; None lets all begin at once."""

    def __init__(self, clock: Clock, concurrency: int | None) -> None:
        self._clock = clock
        self._concurrency = concurrency
        self.total = TOTAL
        self._begun: deque[float] = deque()
        self._last: dict[int, float] = {}

    def limit(self) -> Object:
        """Return Discord's object `session_start_limit`."""
        now = self._clock.time()
        while self._begun and self._begun[0] <= now - A_DAY:
            self._begun.popleft()
        reset = int((self._begun[0] + A_DAY - now) * 1000) if self._begun else 0
        return {
            "total": self.total,
            "remaining": max(0, self.total - len(self._begun)),
            "reset_after": reset,
            "max_concurrency": self._concurrency or 1,
        }

    @property
    def used_up(self) -> bool:
        """True if so many sessions have begun today that another one ends the token."""
        return bool(self.limit()["remaining"] == 0)

    def may_begin(self, shard: int) -> bool:
        """Count a session of this shard; False if it comes too soon after another, and then it is not counted."""
        now = self._clock.time()
        if self._concurrency is not None:
            turn = shard % self._concurrency
            if now - self._last.get(turn, -PAUSE) < PAUSE:
                return False
            self._last[turn] = now
        self._begun.append(now)
        return True
