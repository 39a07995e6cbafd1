"""The timekeeper decides matches on time, and finds out who is to be reminded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.app.clocks.downtime import BEAT
from bot.app.matches.matches import Matches
from bot.app.system import Clock
from bot.app.tasks.background import set_within
from bot.app.tasks.rounds import Rounds
from db.stores.clocks import ClockStore
from db.values.clocks import Reminder
from db.values.failures import StoreFailed
from db.values.places import EVERY, Shards

log = structlog.get_logger()

CLOCKS, REMINDERS = "clocks", "reminders"
"""Names of the tasks whose items are matches that are out of time, and reminders (`reminder_key`)."""
SHORTEST = timedelta(seconds=1)
"""The least pause between two rounds, even if something could not be done in the first."""


@dataclass(frozen=True, slots=True)
class Round:
    """The result of one round: matches whose deadlines were put off, matches decided on time, and reminders due."""

    put_off: frozenset[int]
    decided: Sequence[int]
    reminders: Sequence[Reminder]


class Timekeeper:
    """The check of all clocks. Any number of timekeepers in any number of processes come to one result."""

    def __init__(self, store: ClockStore, clock: Clock, matches: Matches, rounds: Rounds) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._rounds = rounds
        self._checked_at: datetime | None = None
        """Time of the last round. What was due then, and is still due, has failed or is left to the next round."""
        self._quiet = False
        """True if nothing was due in the last round, so that `wait` can use the `_due` of that round."""
        self._due: datetime | None = None
        """Time of the next deadline or reminder, as it was read last."""

    async def round(self, connected: Shards = EVERY) -> Round:
        """Give back lost time, decide matches whose time is over, and find the reminders that are due.

        Time is judged where Discord can be reached: in the matches of the shards that are `connected`.
        """
        self._expect_changes()
        now, judged = await self._now(connected)
        self._due = await self._store.next_due(shards=judged)
        self._quiet = self._due is None or self._due > now
        if self._quiet:
            self._checked_at = now
            return Round(self._matches.move_log.shard_clocks.given_back(), [], [])
        if late := await self._out_of_time(now, judged):
            now, judged = await self._now(judged, certain=True)
            late = await self._out_of_time(now, judged)
        decided: list[int] = []

        async def decide(match: int) -> None:
            if await self._matches.time_out(match):
                decided.append(match)
                await self._matches.resume(match)

        await self._rounds.each(CLOCKS, late, decide)
        reminders = await self._store.due_reminders(now, judged, await self._rounds.limit(REMINDERS))
        self._checked_at = now
        return Round(self._matches.move_log.shard_clocks.given_back(), decided, reminders)

    async def _out_of_time(self, now: datetime, shards: Shards) -> Sequence[int]:
        """Return matches that are out of time, without those that failed and are not to be retried yet."""
        waiting = set(await self._rounds.waiting(CLOCKS))
        found = await self._store.out_of_time(now, shards, await self._rounds.limit(CLOCKS))
        return [match for match in found if str(match) not in waiting]

    async def _now(self, connected: Shards, *, certain: bool = False) -> tuple[datetime, Shards]:
        """Note that the shards are connected. Return the time by which their clocks are judged, and those that are.

        A shard for which that fails is not judged, and tried again in the next round: a delay would count as absence.
        """
        shard_clocks, noted = self._matches.move_log.shard_clocks, set()
        for shard in sorted(connected.numbers):
            try:
                await shard_clocks.note_connected(shard, certain=certain)
            except StoreFailed:
                raise
            except Exception as error:
                log.error("shard.presence_failed", shard=shard, error=type(error).__name__)
            else:
                noted.add(shard)
        now = min((shard_clocks.now(shard) for shard in noted), default=self._clock.now())
        return now, Shards.some(connected.count, noted)

    async def wait(self) -> None:
        """Wait for the next deadline or a clock that is due before, at most one BEAT."""
        move_log = self._matches.move_log
        if not self._quiet:
            self._expect_changes()
            self._due = await self._store.next_due(self._checked_at)
        self._quiet = False
        now = self._clock.now()
        pause = BEAT if self._due is None else min(BEAT, max(SHORTEST, self._due - now))
        move_log.next_check = now + pause
        await set_within(move_log.ticked, pause.total_seconds())

    def _expect_changes(self) -> None:
        """Let every change of a clock from now on end the next wait, until the time of the next check is known."""
        self._matches.move_log.ticked.clear()
        self._matches.move_log.next_check = None


def reminder_key(reminder: Reminder) -> str:
    """Return the name of a reminder as an item of the task REMINDERS."""
    return f"{reminder.match}-{reminder.seat}"
