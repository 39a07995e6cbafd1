"""The arithmetic of clocks: which ones run, the time left, the deadline. Pure; times are aware, spans exact.

A clock runs while its seat is on turn. Chance takes no time, a computer player and a seat that has left have no clock,
and a hidden move that nobody else sees being made gives its seat no new time, because the clock would tell of it.
`ShardClocks` sees to it that outages of the bot and jumps of the wall clock cost no player time.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.app.system import Clock
from db.stores.clocks import ClockStore
from db.values.clocks import JUMP, Clocks, SeatClock, TimeControl
from db.values.places import DIRECT, DiscordId, Ownership
from rules.core.game import Seat
from rules.core.match import DRAW, LEAVING, Match, Ply

SHORTEST_LEAD = timedelta(minutes=5)
LONGEST_LEAD = timedelta(hours=6)
LIVE = timedelta(hours=1)
"""A match with less time than this for each seat is live: everybody is present from beginning to end."""


def started(
    time_control: TimeControl | None, match: Match, now: datetime, untimed: Collection[Seat] = ()
) -> Clocks:
    """Return the clocks of a match that begins. The seats `untimed`, those of computer players, have none."""
    if time_control is None:
        return ()
    fresh = tuple(
        None if seat in untimed else SeatClock(time_control.span) for seat in range(match.setup.players)
    )
    return _updated(time_control, fresh, match, now)


def moved(
    time_control: TimeControl | None, clocks: Clocks, before: Match, entry: Ply, after: Match, now: datetime
) -> Clocks:
    """Return the clocks after `entry` has led from `before` to `after`.

    A move that is made while the clock of its seat stands still adds no increment.
    """
    if time_control is None:
        return ()
    mover = entry.seat
    clock = None if mover is None else clocks[mover]
    # Of an unseen move, only the seat of the move knows.
    if mover is None or clock is None or entry.text in LEAVING or len(before.log) in after.unseen:
        return _updated(time_control, clocks, after, now)
    still = clock.stands_still_at(now)
    done = SeatClock(clock.left if still else _incremented(time_control, clock.left_at(now)))
    return _updated(time_control, (*clocks[:mover], done, *clocks[mover + 1 :]), after, now)


def begun_at(clocks: Clocks, seat: Seat | None, now: datetime) -> Clocks:
    """Return the clocks as if the turn of a seat had begun `now`, which a clock that starts later does not feel."""
    return tuple(
        clock.not_before(now) if clock is not None and other == seat else clock
        for other, clock in enumerate(clocks)
    )


def _incremented(time_control: TimeControl, left: timedelta) -> timedelta:
    """Return the time after a move. A time above the cap, which players have agreed on, stays."""
    more = left + (time_control.increment or timedelta(0))
    return more if time_control.cap is None else max(left, min(more, time_control.cap))


def out_of_time(clocks: Clocks, now: datetime) -> tuple[Seat, ...]:
    """Return the seats whose time is over."""
    return tuple(
        seat
        for seat, clock in enumerate(clocks)
        if clock is not None and clock.deadline is not None and clock.deadline <= now
    )


def verdict(match: Match, clocks: Clocks, now: datetime) -> Ply | None:
    """Return the entry that decides a match on time, or None. The seat whose deadline came first loses.

    If the deadlines of all players come at the same instant, the match is a draw.
    """
    ends = {seat: clocks[seat] for seat in out_of_time(clocks, now)}
    if not ends:
        return None
    first = min(clock.deadline for clock in ends.values() if clock is not None and clock.deadline is not None)
    seats = tuple(seat for seat, clock in ends.items() if clock is not None and clock.deadline == first)
    return Ply(None, DRAW) if seats == match.playing else Ply(seats[0], "timeout")


def live(time_control: TimeControl | None) -> bool:
    """Return True if all players must be present from beginning to end."""
    return time_control is not None and not time_control.per_move and time_control.span < LIVE


def extension(time_control: TimeControl) -> timedelta:
    """Return the time that a seat gets if the others agree: that of a move, or a quarter of that of a whole match."""
    if time_control.per_move:
        return time_control.span
    minute = timedelta(minutes=1)
    return max(minute, time_control.span // 4 // minute * minute)


def reminder_lead(time_control: TimeControl) -> timedelta | None:
    """Return the time between a reminder and the deadline.

    None in live matches, and if the reminder would come at once.
    """
    if live(time_control):
        return None
    span = min(max(time_control.span / 4, SHORTEST_LEAD), LONGEST_LEAD)
    return span if 2 * span <= time_control.span else None


def _updated(time_control: TimeControl, clocks: Clocks, match: Match, now: datetime) -> Clocks:
    """Let the clocks of exactly those seats run that are on turn."""
    return tuple(
        None
        if clock is None or seat not in match.playing
        else _running(time_control, clock, now)
        if seat in match.to_move
        else _resting(time_control, clock, match, now)
        for seat, clock in enumerate(clocks)
    )


def _running(time_control: TimeControl, clock: SeatClock, now: datetime) -> SeatClock:
    if clock.deadline is not None:
        return clock
    time = time_control.span if time_control.per_move else clock.left
    deadline, ahead = now + time, reminder_lead(time_control)
    return SeatClock(time, deadline, deadline - ahead if ahead is not None and ahead < time else None)


def _resting(time_control: TimeControl, clock: SeatClock, match: Match, now: datetime) -> SeatClock:
    fresh = time_control.per_move and not match.over
    return SeatClock(time_control.span if fresh else max(timedelta(0), clock.left_at(now)))


BEAT = timedelta(seconds=10)
"""The time between two notes in the store that the bot is connected."""

PATIENCE = timedelta(seconds=30)
"""A gap between two notes that counts as downtime although no disconnection was seen: the process was stopped."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Record:
    """A record that this process made in the store: the wall clock, and the monotonic clock at the same moment."""

    at: datetime
    monotonic: timedelta


class ShardClocks:
    """The clocks of shards. It records which shards this process connects to Discord, at first none.

    Deadlines are stored as times of the wall clock. The store keeps one record per shard: when the shard was last
    connected. Between two records, time is measured by the monotonic clock from the first of them, so that all
    deadlines of a shard fit its stored record. If the wall clock has jumped at the next record, the deadlines are moved
    with the record in one transaction. After a restart the record tells how far deadlines must be moved, forward or
    backward.
    """

    def __init__(self, store: ClockStore, clock: Clock, ownership: Ownership) -> None:
        self._store = store
        self._clock = clock
        self._ownership = ownership
        self._last: dict[int, _Record] = {}
        """By shard that is connected here: the last note of that in the store."""
        self._moved: set[int] = set()
        self._recording = asyncio.Lock()
        self._writes = 0
        """Number of transactions in progress that store clocks."""
        self._no_writes = asyncio.Event()
        self._no_writes.set()

    def now(self, shard: int) -> datetime:
        """Return the time by which the clocks of a shard are judged. It does not jump between two records."""
        last = self._last.get(shard)
        return self._clock.now() if last is None else last.at + self._clock.monotonic() - last.monotonic

    @asynccontextmanager
    async def storing(
        self, guild: DiscordId | None, time_control: TimeControl | None
    ) -> AsyncGenerator[datetime]:
        """Return the time for clocks of a server's match, which the caller computes and stores before it leaves.

        Deadlines are not moved meanwhile. Otherwise a deadline that was computed before a correction of the wall clock
        could be stored after all others had been moved.
        """
        async with self.storing_in(() if time_control is None else (guild,)) as now:
            yield now

    @asynccontextmanager
    async def storing_in(self, guilds: Collection[DiscordId | None]) -> AsyncGenerator[datetime]:
        """Return the time for clocks of matches in several servers, as `storing` does for one server."""
        shards = {self._ownership.shard_of(guild) for guild in guilds}
        if not shards:
            yield self._clock.now()
            return
        # All before the first write: a correction of the wall clock waits until there is none.
        for shard in sorted(shards):
            await self.note_connected(shard)
        self._writes += 1
        self._no_writes.clear()
        try:
            yield max(map(self.now, shards))
        finally:
            self._writes -= 1
            if not self._writes:
                self._no_writes.set()

    async def note_connected(self, shard: int = DIRECT, *, certain: bool = False) -> None:
        """Note that a shard is connected. Time that was lost before is given back first.

        Called before time is judged, and at least every BEAT. Another process may serve the shard, when a member acts
        in a match of another server than theirs. With `certain` the store is read in any case, because that process
        may have moved the deadlines: do this before anybody loses on time.
        """
        if not certain and self._fresh(shard):
            return
        async with self._recording:
            if not certain and self._fresh(shard):
                return
            if self._jump(shard):
                await self._no_writes.wait()
            await self._record(shard)

    def _fresh(self, shard: int) -> bool:
        """Return whether the last record is less than BEAT old, and the wall clock has not jumped since."""
        last = self._last.get(shard)
        return (
            last is not None and self._clock.monotonic() - last.monotonic < BEAT and self._jump(shard) is None
        )

    def _jump(self, shard: int) -> timedelta | None:
        """Return by how much the wall clock has jumped since the last record, or None if it has not."""
        jump = self._clock.now() - self.now(shard) if shard in self._last else timedelta(0)
        return jump if abs(jump) > JUMP else None

    async def _record(self, shard: int) -> None:
        now, monotonic = self._clock.now(), self._clock.monotonic()
        owned = shard in self._ownership.served.numbers
        last = self._last.get(shard)
        if last is None:
            patience = timedelta(0) if owned else PATIENCE
            moved = await self._store.alive(now, patience, shard, owned=owned)
        else:
            passed = monotonic - last.monotonic
            if (jump := self._jump(shard)) is not None:
                log.warning("clock.jumped", shard=shard, seconds=round(jump.total_seconds(), 3))
            if passed > PATIENCE:  # the process was stopped, so nobody could act in that time
                passed = timedelta(0)
            moved = await self._store.alive(now, PATIENCE, shard, last=last.at, passed=passed, owned=owned)
        self._moved |= set(moved)
        if owned:
            self._last[shard] = _Record(now, monotonic)

    def note_disconnected(self, shard: int = DIRECT) -> bool:
        """Note that a shard is not connected. Return False if that was known.

        The time until `note_connected` is called is given back.
        """
        return self._last.pop(shard, None) is not None

    def note_only_connected(self, shards: Collection[int]) -> bool:
        """Note that no other shards than these are connected here. Return True if one of the others was."""
        lost = [shard for shard in set(self._last).difference(shards) if self.note_disconnected(shard)]
        return bool(lost)

    def given_back(self) -> frozenset[int]:
        """Return the matches to which time was given back since the last call."""
        moved, self._moved = frozenset(self._moved), set()
        return moved
