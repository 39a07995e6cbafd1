"""The timekeeper decides matches on time, and finds out who is to be reminded."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.app.clocks.downtime import BEAT
from bot.app.matches.matches import Matches
from bot.app.system import Clock
from db.api.clocks import Reminder
from db.api.shards import EVERY, Shards
from db.api.store import Store

SHORTEST = timedelta(seconds=1)
"""The least pause between two rounds, even if something could not be done in the first."""


@dataclass(frozen=True, slots=True)
class Round:
    """The result of one round: matches whose deadlines were put off, matches decided on time, and reminders due."""

    put_off: frozenset[int]
    decided: Sequence[int]
    reminders: Sequence[Reminder]


class Timekeeper:
    """Checks all clocks. Any number of timekeepers, in any number of processes, come to one result."""

    def __init__(self, store: Store, clock: Clock, matches: Matches) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches

    async def round(self, connected: Shards = EVERY) -> Round:
        """Give back lost time, decide matches whose time is over, and take the reminders that are due.

        Time is judged where Discord can be reached: in the matches of the shards that are `connected`.
        """
        presence = self._matches.move_log.presence
        now = await self._now(connected)
        over = await self._store.out_of_time(now, connected)
        if over:
            now = await self._now(connected, certain=True)
            over = await self._store.out_of_time(now, connected)
        decided = [match for match in over if await self._matches.time_out(match)]
        reminders = await self._store.take_reminders(now)
        return Round(presence.given_back(), decided, reminders)

    async def _now(self, connected: Shards, *, certain: bool = False) -> datetime:
        """Note that the shards are connected, and return the time by which their clocks are judged."""
        presence = self._matches.move_log.presence
        for shard in sorted(connected.numbers):
            await presence.here(shard, certain=certain)
        return min((presence.now(shard) for shard in connected.numbers), default=self._clock.now())

    async def wait(self) -> None:
        """Wait for the next deadline or a change of clocks, at most one BEAT."""
        self._matches.move_log.ticked.clear()
        due = await self._store.next_due()
        pause = BEAT if due is None else min(BEAT, max(SHORTEST, due - self._clock.now()))
        try:
            async with asyncio.timeout(pause.total_seconds()):
                await self._matches.move_log.ticked.wait()
        except TimeoutError:
            pass
