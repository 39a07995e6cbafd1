"""Clocks as stored: how long players may think, and how each seat's clock stands."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Pace:
    """How long players may think, in whole seconds.

    Without an `increment` every move has `span` for itself. With one (it may be 0) each seat has `span` for the whole
    match, and every move that it makes adds the increment.
    """

    span: timedelta
    increment: timedelta | None = None

    @property
    def per_move(self) -> bool:
        return self.increment is None


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat: it runs if it has a `deadline`. It was started when `left` was left until then."""

    left: timedelta
    deadline: datetime | None = None
    remind_at: datetime | None = None
    """When the seat is to be reminded, None once that is done or where it is not wanted."""

    def given_back(self, since: datetime, now: datetime) -> "SeatClock":
        """The clock as if the time from `since` to `now` had not passed; a clock that started later loses less."""
        if self.deadline is None:
            return self
        lost = max(timedelta(0), now - max(since, self.deadline - self.left))
        remind_at = None if self.remind_at is None else self.remind_at + lost
        return replace(self, deadline=self.deadline + lost, remind_at=remind_at)

    def same_time(self, other: "SeatClock | None") -> bool:
        """Whether both stand at the same time, reminded or not."""
        return other is not None and (self.left, self.deadline) == (other.left, other.deadline)


Clocks = tuple[SeatClock | None, ...]
"""By seat, None for a seat that has left; () for a match without clocks."""


@dataclass(frozen=True, slots=True)
class Ticking:
    """How the clocks of a match stood, and how an entry of its log lets them stand."""

    before: Clocks
    after: Clocks


@dataclass(frozen=True, slots=True)
class Reminder:
    """A seat whose time comes to its end at `deadline`."""

    match: int
    seat: int
    deadline: datetime


class ClocksMoved(Exception):
    """The clocks of the match do not stand as they were said to; nothing was stored."""
