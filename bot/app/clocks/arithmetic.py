"""The arithmetic of clocks: which ones run, the time left, the deadline. Pure; times are aware, spans exact.

A clock runs while its seat is on turn. Chance takes no time, a seat that has left has no clock, and a hidden move that
nobody else sees being made gives its seat no new time, because the clock would tell of it.
"""

from datetime import datetime, timedelta

from db.api.clocks import Clocks, Pace, SeatClock
from rules.core.game import Seat
from rules.core.match import DRAW, LEAVING, Match, Ply

LEAST_NOTICE = timedelta(minutes=5)
MOST_NOTICE = timedelta(hours=6)
LIVE = timedelta(hours=1)
"""A match with less time than this for each seat is live: everybody is present from beginning to end."""


def started(pace: Pace | None, match: Match, now: datetime) -> Clocks:
    """The clocks of a match that begins."""
    if pace is None:
        return ()
    fresh = (SeatClock(pace.span),) * match.setup.players
    return _turned(pace, fresh, match, now)


def moved(
    pace: Pace | None, clocks: Clocks, before: Match, entry: Ply, after: Match, now: datetime
) -> Clocks:
    """The clocks after `entry` has led from `before` to `after`."""
    if pace is None:
        return ()
    mover = entry.seat
    clock = None if mover is None else clocks[mover]
    if mover is None or clock is None or entry.text in LEAVING or _unseen(before, after):
        return _turned(pace, clocks, after, now)
    done = SeatClock(left(clock, now) + (pace.increment or timedelta(0)))
    return _turned(pace, (*clocks[:mover], done, *clocks[mover + 1 :]), after, now)


def left(clock: SeatClock, now: datetime) -> timedelta:
    """The time that a seat has left; zero or less once its deadline has passed."""
    return clock.left if clock.deadline is None else clock.deadline - now


def out_of_time(clocks: Clocks, now: datetime) -> tuple[Seat, ...]:
    """The seats whose time is over."""
    return tuple(
        seat
        for seat, clock in enumerate(clocks)
        if clock is not None and clock.deadline is not None and clock.deadline <= now
    )


def verdict(match: Match, clocks: Clocks, now: datetime) -> Ply | None:
    """The entry that decides a match on time, or None: the seat whose deadline came first loses.

    If the deadlines of all players come at the same instant, the match is a draw.
    """
    ends = {seat: clocks[seat] for seat in out_of_time(clocks, now)}
    if not ends:
        return None
    first = min(clock.deadline for clock in ends.values() if clock is not None and clock.deadline is not None)
    seats = tuple(seat for seat, clock in ends.items() if clock is not None and clock.deadline == first)
    return Ply(None, DRAW) if seats == match.playing else Ply(seats[0], "timeout")


def live(pace: Pace | None) -> bool:
    """True if everybody must be present from beginning to end."""
    return pace is not None and not pace.per_move and pace.span < LIVE


def notice(pace: Pace) -> timedelta | None:
    """The time before its deadline at which a seat is reminded; None in live matches, and if that would be at once."""
    if live(pace):
        return None
    span = min(max(pace.span / 4, LEAST_NOTICE), MOST_NOTICE)
    return span if 2 * span <= pace.span else None


def _turned(pace: Pace, clocks: Clocks, match: Match, now: datetime) -> Clocks:
    """Let the clocks of exactly those seats run that are on turn."""
    return tuple(
        None
        if clock is None or seat not in match.playing
        else _running(pace, clock, now)
        if seat in match.to_move
        else _resting(pace, clock, match, now)
        for seat, clock in enumerate(clocks)
    )


def _running(pace: Pace, clock: SeatClock, now: datetime) -> SeatClock:
    if clock.deadline is not None:
        return clock
    time = pace.span if pace.per_move else clock.left
    deadline, ahead = now + time, notice(pace)
    return SeatClock(time, deadline, deadline - ahead if ahead is not None and ahead < time else None)


def _resting(pace: Pace, clock: SeatClock, match: Match, now: datetime) -> SeatClock:
    fresh = pace.per_move and not match.over
    return SeatClock(pace.span if fresh else max(timedelta(0), left(clock, now)))


def _unseen(before: Match, after: Match) -> bool:
    """True if nobody but its own seat has seen the last move being made."""
    return len(before.log) in after.unseen
