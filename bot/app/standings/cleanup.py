"""Deletes leaderboards of past weeks and months, a few rows at a time, once nothing shows them."""

from datetime import timedelta

from bot.app.system import Clock
from db.api.standings.leaderboards import ExpiredLeaderboards, ExpiredLeaderboardStore

EVERY = timedelta(hours=1)
"""The time between two looks for leaderboards that have ended."""
BATCH = 200
"""Rows of each kind that one transaction deletes: few enough that nobody waits for it."""
SWEPT = 1000
"""About how many rows one sweep deletes."""


class LeaderboardCleanup:
    """Deletes expired leaderboards."""

    def __init__(self, store: ExpiredLeaderboardStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._due: list[ExpiredLeaderboards] = []
        self._looked: timedelta | None = None
        """When it last looked, by the monotonic clock."""

    async def sweep(self) -> int:
        """Delete some expired rows, and return how many."""
        passed = self._clock.monotonic()
        if not self._due and (self._looked is None or passed - self._looked >= EVERY):
            self._due = list(await self._store.expired_leaderboards(self._clock.now()))
            self._looked = passed
        gone = 0
        while self._due and gone < SWEPT:
            here = await self._store.delete_expired(self._due[-1], BATCH)
            if here < BATCH:
                self._due.pop()
            gone += here
        return gone
