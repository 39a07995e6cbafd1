"""Rules about clocks."""

from datetime import datetime, timedelta

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
            return tuple(await self.store.alive(at, patience, last=record, passed=passed, owned=owned))

        self.both(alike(), lambda: self.model.alive(at, patience, record, passed, owned))

    @rule(at=times)
    def remind(self, at: datetime) -> None:
        """Take reminders. Those of the same time and match may come in any order."""
        taken = self.run(self.store.take_reminders(at))
        assert [(it.deadline, it.match) for it in taken] == [
            (it.deadline, it.match) for it in self.model.due(at)
        ]
        assert sorted(taken, key=lambda it: (it.deadline, it.match, it.seat)) == self.model.take_reminders(at)

    @rule(at=times)
    def look_at_clocks(self, at: datetime) -> None:
        self.both(self.store.out_of_time(at), lambda: self.model.out_of_time(at))
        self.both(self.store.next_due(), self.model.next_due)
