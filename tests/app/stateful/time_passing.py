"""Time passes, and processes stop and start."""

import asyncio
from collections.abc import Awaitable
from datetime import date, datetime, timedelta

from hypothesis import strategies as st

from bot.app.challenges.offers import LASTS
from bot.app.clocks.arithmetic import out_of_time
from bot.app.clocks.downtime import ShardClocks
from bot.app.matches.timekeeper import Round
from db.values.challenges import Answer
from db.values.clocks import SeatClock
from db.values.places import DiscordId
from tests.app.conftest import LIFETIME
from tests.app.stateful.base import Base, served
from tests.app.stateful.strategies import numbers, spans

DAY = timedelta(days=1)

Told = tuple[int, int, datetime]
"""A match, a seat of it, and when its time ends."""


class TimeRules(Base):
    """Time, timekeepers and restarts."""

    reminded: frozenset[Told] = frozenset()
    """The reminders that were sent."""

    @served(span=spans, there=st.booleans())
    def tick(self, span: timedelta, there: bool) -> None:
        """Time passes while the host is connected, or is not."""
        self.run(self.host.pass_time(span)) if there else self.clock.push(span)

    @served(span=spans)
    def lose_connection(self, span: timedelta) -> None:
        """No process is connected for a while: that time is given back to every clock, once."""
        presences = [host.services.matches.move_log.shard_clocks for host in (self.other, self.host)]

        async def come_back() -> None:
            for shard_clocks in presences:
                await shard_clocks.note_connected()

        lose(presences)
        self.run(come_back())
        lose(presences)
        before, since = self.snapshot.matches, self.clock.now()
        self.clock.push(span)
        self.run(come_back())
        for match in self.snapshot.matches.values():
            then = before[match.id]
            assert [_ends(clock, since, span) for clock in then.clocks] == [
                _ends(clock, since, timedelta(0)) for clock in match.clocks
            ]

    @served(hours=st.sampled_from((-50, -1, 1, 50)))
    def set_clock(self, hours: int) -> None:
        """Somebody sets the wall clock of the machine; both processes notice it."""
        self.clock.jump(timedelta(hours=hours))
        self.oracle.clock_set_back |= hours < 0
        for host in (self.host, self.other):
            self.run(host.services.matches.move_log.shard_clocks.note_connected())

    @served(expiring=st.booleans())
    def sweep(self, expiring: bool) -> None:
        """The timekeepers and clients of both processes go round at once; what they look after is then in time."""
        if expiring:
            self.run(self.host.pass_time(LIFETIME))
        self.go_round()

    def go_round(self) -> None:
        """Let the timekeepers and clients of both processes go round once."""
        self.here()
        before = self.snapshot

        async def both() -> tuple[list[Round], list[int]]:
            rounds = await asyncio.gather(*(host.services.timekeeper.round() for host in self.hosts))
            closed = await asyncio.gather(*(host.services.challenges.expire() for host in self.hosts))
            return rounds, [challenge.id for found in closed for challenge in found]

        rounds, closed = self.run(both())
        now = self.clock.now()
        decided = [match for done in rounds for match in done.decided]
        over = [match.id for match in before.matches.values() if out_of_time(match.clocks, now)]
        assert sorted(decided) == sorted(over), "not each was decided, or not once"
        late = [challenge for challenge in before.challenges if challenge.expires_at <= now]
        ended = [it.id for it in late if it.standing is None or not self.uses_bot(it.challenger)]
        assert sorted(closed) == ended, "not each has expired, or not once"
        renewed = {it.id: it.expires_at for it in self.snapshot.challenges}
        assert all(renewed[it.id] == now + LASTS for it in late if it.id not in ended), "not each was renewed"
        due = {it for done in rounds for it in done.reminders}
        told = {(it.match, it.seat, it.deadline) for it in due}
        assert not self.reminded & told, "somebody was reminded again"
        for reminder in due:
            self.run(self.host.store.clocks.reminded(reminder))
        self.reminded |= told
        for proposal in self.run(self.host.services.store.proposals.open()):
            self.run(self.host.services.proposals.close_decided(proposal.match))
        snapshot = self.snapshot
        assert not any(out_of_time(match.clocks, now) for match in snapshot.matches.values())
        self.look()
        for host in self.hosts:
            assert not self.run(host.services.timekeeper.round()).decided
        assert self.snapshot == snapshot, "a second round has changed something"

    def uses_bot(self, user: DiscordId) -> bool:
        """True unless it is known that a member has not used the bot for a month."""
        (day,) = self.file.execute("SELECT active_on FROM members WHERE user_id = ?", (user,)).fetchone()
        return day is None or date.fromisoformat(day) >= (self.clock.now() - LASTS).date()

    @served(number=numbers, active=st.booleans())
    def renew(self, number: int, active: bool) -> None:
        """A month passes for a standing offer, whose host has used the bot or not: it is renewed, or ends."""
        kept = [it for it in self.snapshot.challenges if it.standing is not None]
        if not kept:
            return
        offer = kept[number % len(kept)]
        self.run(self.active([]))
        self.run(self.host.pass_time(offer.expires_at - self.clock.now() + DAY))
        self.run(self.active([offer.challenger] if active else []))
        self.go_round()
        assert active is (self.run(self.host.store.challenges.get(offer.id)).answer is Answer.OPEN)

    def active(self, users: list[DiscordId]) -> Awaitable[None]:
        """Note that these members use the bot today, and those of whom no day is known."""
        today = self.clock.now().date()
        return self.host.store.retention.note_activity(users, [], today, today)

    @served()
    def restart(self) -> None:
        """One process stops and starts again while the other stays connected."""
        before, process = self.stored(), self.hosts.index(self.host)
        self.run(self.opened[process].__aexit__(None, None, None))
        self.hosts[process] = self.begun(process)
        self.served_by(process)
        assert self.stored() == before


def lose(presences: list[ShardClocks]) -> None:
    for shard_clocks in presences:
        shard_clocks.note_disconnected()


def _ends(
    clock: SeatClock | None, since: datetime, lost: timedelta
) -> tuple[datetime | None, datetime | None]:
    """Return the times of a clock's end and reminder if it has a deadline and time is lost from `since` on.

    A clock that stands still has lost only what passed after it would have run again.
    """
    if clock is None or clock.deadline is None:
        return None, None
    still = max(timedelta(0), clock.deadline - clock.left - since)
    lost = max(timedelta(0), lost - still)
    return clock.deadline + lost, None if clock.remind_at is None else clock.remind_at + lost
