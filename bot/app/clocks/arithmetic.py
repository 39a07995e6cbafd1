"""The arithmetic of clocks: which ones run, the time left, the deadline. Pure; times are aware, spans exact.

A clock runs while its seat is on turn. Chance takes no time, a computer player and a seat that has left have no clock,
and a hidden move that nobody else sees being made gives its seat no new time, because the clock would tell of it.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from db.values.clocks import Clocks, SeatClock, TimeControl
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
