"""Deletes leaderboards of past weeks and months, a few rows at a time, once nothing shows them."""

from datetime import timedelta

from bot.app.system import Clock
from bot.app.tasks.rounds import EndRound, Rounds
from db.stores.standings.leaderboards import LeaderboardStore
from db.values.standings import ExpiredLeaderboards

EVERY = timedelta(hours=1)
"""The time between two looks for leaderboards that have ended."""
BATCH = 200
"""Rows of each kind that one transaction deletes: few enough that nobody waits for it."""
SWEPT = 1000
"""About how many rows one sweep deletes."""


class LeaderboardCleanup:
    """Deletes expired leaderboards."""

    def __init__(self, store: LeaderboardStore, clock: Clock, rounds: Rounds) -> None:
        self._store = store
        self._clock = clock
        self._rounds = rounds
        self._due: dict[ExpiredLeaderboards, None] = {}
        self._looked: timedelta | None = None
        """When it last looked, by the monotonic clock."""

    async def sweep(self) -> int:
        """Delete some expired rows, and return how many."""
        passed, gone = self._clock.monotonic(), 0
        if self._looked is None or passed - self._looked >= EVERY:
            self._due = dict.fromkeys(await self._store.expired(self._clock.now()))
            self._looked = passed

        async def delete(boards: ExpiredLeaderboards) -> None:
            nonlocal gone
            deleted = BATCH
            while deleted >= BATCH:
                if gone >= SWEPT:
                    raise EndRound
                deleted = await self._store.delete_expired(boards, BATCH)
                gone += deleted
            del self._due[boards]

        await self._rounds.each("leaderboards", self._due, delete, key=lambda it: f"{it.guild}-{it.period}")
        return gone
