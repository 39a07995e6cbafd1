"""Clocks: how long players may think, and how much time each seat has left."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

JUMP = timedelta(seconds=1)
"""The wall clock has jumped if it differs by more than this from a monotonic clock between two records."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control in whole seconds.

    Without an `increment`, each move has `span`. With an increment (0 is possible), each seat has `span` for the whole
    match, and each of its moves adds the increment. With a `cap`, an increment never raises the time above the cap.
    """

    span: timedelta
    increment: timedelta | None = None
    cap: timedelta | None = None

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
        """Return True if both show the same time; reminders are not compared."""
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
