"""Running clocks in the model."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from db.values.clocks import Reminder, SeatClock
from db.values.posts import PostKind
from tests.db.model.base import Base


class Clocks(Base):
    """The model of clocks."""

    def alive(
        self, at: datetime, patience: timedelta, last: datetime | None, passed: timedelta, owned: bool
    ) -> tuple[int, ...]:
        before = self.there
        since = before + passed if before is not None and before == last else before
        allowed = timedelta(seconds=1) if before is not None and before == last else patience
        jumped = since is not None and not -allowed <= at - since <= allowed
        if owned or jumped or before is None:
            self.there = at
        if since is None or not jumped:
            return ()
        if last is not None and before != last:
            since = min(since, at)
        moved = sorted({match for match, _, clock in self.ticking() if clock.deadline is not None})
        for match in moved:
            found = self.matches[match]
            clocks = tuple(clock and clock.given_back(since, at) for clock in found.clocks)
            self.put(replace(found, clocks=clocks))
            self.change_post(PostKind.BOARD, match)
        return tuple(moved)

    def ticking(self) -> Iterator[tuple[int, int, SeatClock]]:
        """Yield match, seat and clock for all running matches."""
        for match in self.matches.values():
            if match.finished_at is None:
                for seat, clock in enumerate(match.clocks):
                    if clock is not None:
                        yield match.id, seat, clock

    def out_of_time(self, at: datetime) -> tuple[int, ...]:
        late = sorted(
            (clock.deadline, match)
            for match, _, clock in self.ticking()
            if clock.deadline is not None and clock.deadline <= at
        )
        return tuple(dict.fromkeys(match for _, match in late))

    def due_reminders(self, at: datetime) -> list[Reminder]:
        """Return the reminders that are due; those of the same time and match in the order of seats."""
        found = (
            Reminder(match, seat, clock.deadline, clock.remind_at)
            for match, seat, clock in self.ticking()
            if clock.remind_at is not None
            and clock.deadline is not None
            and clock.remind_at <= at < clock.deadline
        )
        return sorted(found, key=lambda it: (it.deadline, it.match, it.seat))

    def reminded(self, reminder: Reminder) -> None:
        found = self.matches[reminder.match]
        clocks = list(found.clocks)
        clock = clocks[reminder.seat]
        if clock is not None and clock.remind_at == reminder.due:
            clocks[reminder.seat] = replace(clock, remind_at=None)
            self.put(replace(found, clocks=tuple(clocks)))

    def next_due(self) -> datetime | None:
        times = (time for _, _, clock in self.ticking() for time in (clock.deadline, clock.remind_at))
        return min((time for time in times if time is not None), default=None)
