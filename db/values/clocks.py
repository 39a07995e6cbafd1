"""Clocks: how long players may think, and how much time each seat has left.

A clock that stands still, because its player is away or the match is paused, has a deadline, too. Such a clock starts
in the future, so nothing has to be done at the end of an absence or a pause.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

JUMP = timedelta(seconds=1)
"""The wall clock has jumped if it differs by more than this from a monotonic clock between two records."""


LASTING = timedelta(days=1)
"""The least `span` of a time control whose clocks stand still while their player is away."""


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

    @property
    def lasting(self) -> bool:
        """Return True if clocks stand still while their player is away."""
        return self.span >= LASTING


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat. It runs if it has a `deadline`; `left` is the time it had when it was started.

    A clock that starts in the future stands still until then.
    """

    left: timedelta
    deadline: datetime | None = None
    remind_at: datetime | None = None
    """The time at which to remind the seat; None if that is done or not wanted."""

    def left_at(self, now: datetime) -> timedelta:
        """Return the time that the seat has left; zero or less once its deadline has passed."""
        return self.left if self.deadline is None else min(self.left, self.deadline - now)

    def stands_still_at(self, now: datetime) -> bool:
        """Return True if the clock of a seat on turn does not run yet, by more than clocks of machines differ."""
        return self.deadline is not None and self.deadline - self.left > now + JUMP

    def given_back(
        self, since: datetime, now: datetime, stopped_until: datetime | None = None
    ) -> "SeatClock":
        """Return the clock with the time between `since` and `now` credited.

        If `now` is earlier than `since`, the wall clock was set back, and the deadline becomes earlier by that time. A
        clock that started after `since` is credited only for the time it ran; `stopped_until` is as in
        `db.values.clocks.stopped_until`.
        """
        if self.deadline is None:
            return self
        start = self.deadline - self.left
        stood_still = start == stopped_until and start > since and start >= now
        return self if stood_still else self._later(now - max(since, start))

    def not_before(self, start: datetime | None) -> "SeatClock":
        """Return a clock that was just started, so that it runs from `start` on if that is later."""
        if self.deadline is None or start is None:
            return self
        return self._later(max(timedelta(0), start - (self.deadline - self.left)))

    def standing_still(self, now: datetime, until: datetime | None) -> "SeatClock":
        """Return the clock with the time that it has left `now`, to run from `until` on, or at once.

        It runs at once if `until` is None or not later than `now`.
        """
        if self.deadline is None:
            return self
        left, start = self.left_at(now), now if until is None else max(now, until)
        if start == now >= self.deadline - self.left:
            return self  # It runs already.
        return replace(self._later(start + left - self.deadline), left=left)

    def extended(self, span: timedelta) -> "SeatClock":
        """Return the clock with more time."""
        longer = replace(self, left=self.left + span)
        return longer if self.deadline is None else longer._later(span)

    def _later(self, span: timedelta) -> "SeatClock":
        """Return the running clock with a deadline that is later by `span`."""
        assert self.deadline is not None
        remind_at = None if self.remind_at is None else self.remind_at + span
        return replace(self, deadline=self.deadline + span, remind_at=remind_at)

    def same_time(self, other: "SeatClock | None") -> bool:
        """Return True if both show the same time; reminders are not compared."""
        return other is not None and (self.left, self.deadline) == (other.left, other.deadline)


def stopped_until(
    time_control: TimeControl | None, paused_until: datetime | None, absent_until: datetime | None
) -> datetime | None:
    """Return the time until which a clock may not run, which may have passed, or None.

    That is the end of the last pause of its match or the end of the last absence of its player.
    """
    stops = time_control is not None and time_control.lasting
    ends = (paused_until, absent_until if stops else None)
    return max((end for end in ends if end is not None), default=None)


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


@dataclass(frozen=True, slots=True)
class Resumption:
    """The end `at` some time of a pause of a match, or of the absence of a player."""

    match: int
    at: datetime


class ClocksMoved(Exception):
    """The clocks of the match have changed since they were read; nothing was stored."""
