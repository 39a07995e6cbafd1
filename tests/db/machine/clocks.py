"""Rules about clocks."""

from datetime import datetime, timedelta
from functools import partial

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.db.given import NOW
from tests.db.machine.base import Base, spans, times


class Clocks(Base):
    """Rules about clocks."""

    @rule(
        at=times,
        patience=spans,
        last=st.sampled_from(("none", "own", "another")),
        passed=spans,
        owned=st.booleans(),
    )
    def alive(self, at: datetime, patience: timedelta, last: str, passed: timedelta, owned: bool) -> None:
        record = None if last == "none" else self.model.there if last == "own" else NOW - timedelta(days=9)

        async def alike() -> tuple[int, ...]:
            return tuple(await self.store.clocks.alive(at, patience, last=record, passed=passed, owned=owned))

        self.both(alike(), lambda: self.model.alive(at, patience, record, passed, owned))

    @rule(at=times)
    def remind(self, at: datetime) -> None:
        """Strike off the first reminders that are due."""
        due = self.model.due_reminders(at)
        self.both(self.store.clocks.due_reminders(at, limit=2), lambda: due[:2])
        self.both(self.store.clocks.due_reminders(at), lambda: due)
        for reminder in due[:2]:
            self.both(self.store.clocks.reminded(reminder), partial(self.model.reminded, reminder))

    @rule(at=times)
    def look_at_clocks(self, at: datetime) -> None:
        self.both(self.store.clocks.out_of_time(at), lambda: self.model.out_of_time(at))
        self.both(self.store.clocks.next_due(), self.model.next_due)
