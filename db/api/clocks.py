"""Clocks: how long players may think, and how much time each seat has left."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from db.api.shards import DIRECT, Shards

JUMP = timedelta(seconds=1)
"""The wall clock has jumped if it differs by more than this from a monotonic clock between two records."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control in whole seconds.

    Without an `increment`, each move has `span`. With an increment (0 is possible), each seat has `span` for the whole
    match, and each of its moves adds the increment.
    """

    span: timedelta
    increment: timedelta | None = None

    @property
    def per_move(self) -> bool:
        return self.increment is None


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat. It runs if it has a `deadline`; `left` is the time it had when it was started."""

    left: timedelta
    deadline: datetime | None = None
    remind_at: datetime | None = None
    """When to remind the seat; None if that is done or not wanted."""

    def given_back(self, since: datetime, now: datetime) -> "SeatClock":
        """Return the clock with the time between `since` and `now` credited.

        If `now` is earlier than `since`, the wall clock was set back, and the deadline becomes earlier by that time. A
        clock that started after `since` is credited only for the time it ran.
        """
        if self.deadline is None:
            return self
        lost = now - max(since, self.deadline - self.left)
        remind_at = None if self.remind_at is None else self.remind_at + lost
        return replace(self, deadline=self.deadline + lost, remind_at=remind_at)

    def same_time(self, other: "SeatClock | None") -> bool:
        """True if both show the same time; reminders are not compared."""
        return other is not None and (self.left, self.deadline) == (other.left, other.deadline)


Clocks = tuple[SeatClock | None, ...]
"""By seat, None for a seat that has left; () for a match without clocks."""


@dataclass(frozen=True, slots=True)
class Ticking:
    """The clocks of a match before and after an entry of its log."""

    before: Clocks
    after: Clocks


@dataclass(frozen=True, slots=True)
class Reminder:
    """A seat to be reminded from `due` on that its time ends at `deadline`."""

    match: int
    seat: int
    deadline: datetime
    due: datetime


class ClocksMoved(Exception):
    """The clocks of the match have changed since they were read; nothing was stored."""


class ClockStore(Protocol):
    """The running clocks of all matches."""

    async def alive(
        self,
        at: datetime,
        patience: timedelta,
        shard: int = DIRECT,
        *,
        last: datetime | None = None,
        passed: timedelta = timedelta(0),
        owned: bool = True,
    ) -> Sequence[int]:
        """Record that a shard of the bot is connected at `at`, and return the matches whose deadlines were moved.

        If `at` differs from the last record by more than `patience`, the deadlines of the shard's matches are moved by
        the difference, so that each running clock shows the time that it showed at the last record. If several
        processes come back at once, only one of them moves the deadlines.

        `last` is the caller's own last record, and `passed` the time since then by a monotonic clock. If the stored
        record is that one, deadlines are moved by exactly the jump of the wall clock, if it is longer than JUMP. If
        another process has made a later record, no deadline becomes earlier than its seat is owed.

        A process that does not own the shard records nothing unless it moves deadlines.
        """

    async def out_of_time(
        self, at: datetime, shards: Shards | None = None, limit: int | None = None
    ) -> Sequence[int]:
        """Return the ids of running matches in which a seat is out of time, the earliest deadline first.

        At most `limit`, and only matches of these shards; of those that this process serves if none are given.
        """

    async def due_reminders(
        self, at: datetime, shards: Shards | None = None, limit: int | None = None
    ) -> Sequence[Reminder]:
        """Return at most `limit` reminders that are due until `reminded` is called, the earliest deadline first.

        Shards as for `out_of_time`.
        """

    async def reminded(self, reminder: Reminder) -> None:
        """Record that a reminder was sent, unless it has been put off meanwhile."""

    async def next_due(self, after: datetime | None = None) -> datetime | None:
        """Return the time of the next deadline or reminder later than `after`, or None."""
