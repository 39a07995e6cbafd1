"""The arithmetic of clocks: no time appears from nowhere, none vanishes."""

import random
from dataclasses import dataclass
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.clocks.arithmetic import moved, out_of_time, reminder_lead, started, verdict
from db.values.clocks import Clocks, SeatClock, TimeControl
from rules.core.match import DRAW, Match, Ply
from rules.games import find
from tests.rules.walks import SUBJECTS, AnyGame, step, trials
from tests.ui.test_messages import NOW

SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))
ZERO = timedelta(0)
TOTAL = TimeControl(15 * MINUTE, 10 * SECOND)
PER_MOVE = TimeControl(DAY)

time_controls = st.builds(
    TimeControl,
    st.integers(60, 10**6).map(lambda seconds: timedelta(seconds=seconds)),
    st.none() | st.integers(0, 60).map(lambda seconds: timedelta(seconds=seconds)),
)
games = st.sampled_from(SUBJECTS)
# How much of what is left to the player who moves is used, in thousandths: never all of it.
thoughts = st.lists(st.integers(0, 999), min_size=1, max_size=30)


@dataclass
class MoveLog:
    """The time that was given to a seat and that it has used, counted move by move, beside the clocks."""

    given: timedelta
    used: timedelta = ZERO


def running(clocks: Clocks) -> set[int]:
    return {seat for seat, clock in enumerate(clocks) if clock is not None and clock.deadline is not None}


def on_turn(match: Match) -> set[int]:
    return {seat for seat in match.to_move if seat is not None}


@trials(200)
@given(
    game=games,
    time_control=time_controls,
    thinking=thoughts,
    seed=st.integers(0, 2**16),
    leaver=st.integers(0, 40),
)
def test_what_was_used_and_what_is_left_is_what_was_given(
    game: AnyGame, time_control: TimeControl, thinking: list[int], seed: int, leaver: int
) -> None:
    """Through games of any kind, played at random, with a seat leaving in some."""
    match = Match.start(game, {}, game.seats[1])
    now, chance = NOW, random.Random(seed)
    clocks = started(time_control, match, now)
    ledgers = [MoveLog(time_control.span) for _ in range(match.setup.players)]
    for number, share in enumerate(thinking):
        assert running(clocks) == on_turn(match)
        assert out_of_time(clocks, now) == ()
        before = match
        match = match.play(match.playing[-1], "resign") if number == leaver else step(match, chance)
        entry = match.log[-1]
        turning = running(clocks)
        thought = min((clock.left_at(now) for clock in clocks if clock and clock.deadline), default=ZERO)
        thought = thought * share / 1000
        now += thought
        for seat in turning:
            ledgers[seat].used += thought
        clocks = moved(time_control, clocks, before, entry, match, now)
        if entry.seat is not None and len(before.log) not in match.unseen:
            mover = ledgers[entry.seat]
            mover.given = (
                mover.used + time_control.span
                if time_control.per_move
                else mover.given + (time_control.increment or ZERO)
            )
        for seat, clock in enumerate(clocks):
            if seat not in match.playing:
                assert clock is None
            elif not match.over or not time_control.per_move:
                assert clock is not None
                assert ledgers[seat].used + clock.left_at(now) == ledgers[seat].given
        if match.over:
            assert running(clocks) == set()
            return


def test_every_move_has_its_span_again() -> None:
    match = Match.start(find("skull"), {}, 2)
    clocks = started(PER_MOVE, match, NOW)
    assert clocks == (SeatClock(DAY, NOW + DAY, NOW + 18 * HOUR), SeatClock(DAY))
    later = NOW + 20 * HOUR
    after = match.play(0, "c3")
    clocks = moved(PER_MOVE, clocks, match, after.log[-1], after, later)
    assert clocks == (SeatClock(DAY), SeatClock(DAY, later + DAY, later + 18 * HOUR))


@pytest.mark.parametrize(
    ("had", "has"),
    [(2 * DAY, 2.5 * DAY), (6.75 * DAY, 7 * DAY), (7 * DAY, 7 * DAY), (8 * DAY, 8 * DAY)],
)
def test_an_increment_ends_at_the_cap(had: timedelta, has: timedelta) -> None:
    """Time above the cap, which players have agreed on, is not taken away."""
    match = Match.start(find("skull"), {}, 2)
    capped = TimeControl(3 * DAY, 12 * HOUR, 7 * DAY)
    clocks = (SeatClock(had, NOW + had), SeatClock(3 * DAY))
    after = match.play(0, "c3")
    assert moved(capped, clocks, match, after.log[-1], after, NOW)[0] == SeatClock(has)


def deal(reds: int = 8) -> Match:
    return Match.start(find("palindromes"), {"cards": 8}, 2).play(None, f"deal {reds // 2}")


@pytest.mark.parametrize("time_control", [TOTAL, PER_MOVE])
def test_a_find_that_nobody_sees_gives_no_new_time(time_control: TimeControl) -> None:
    """Deadlines are public, so they would tell how much was found."""
    match = deal().play(0, "arrange RRRRBBBB").play(1, "arrange RRRRBBBB")
    clocks = started(time_control, match, NOW)
    found = match.play(0, "find RR")
    assert moved(time_control, clocks, match, found.log[-1], found, NOW + MINUTE) == clocks


class TestVerdict:
    """The deadline itself is too late; who was first out of time loses; together is a draw."""

    match = deal()

    def test_in_time(self) -> None:
        clocks = started(TOTAL, self.match, NOW)
        almost = NOW + 15 * MINUTE - timedelta(microseconds=1)
        assert verdict(self.match, clocks, almost) is None
        assert out_of_time(clocks, almost + timedelta(microseconds=1)) == (0, 1)

    def test_the_first_one_loses(self) -> None:
        clocks = (SeatClock(MINUTE, NOW + MINUTE), SeatClock(SECOND, NOW + SECOND))
        assert verdict(self.match, clocks, NOW + HOUR) == Ply(1, "timeout")

    def test_together_is_a_draw(self) -> None:
        clocks = started(PER_MOVE, self.match, NOW)
        entry = verdict(self.match, clocks, NOW + DAY)
        assert entry == Ply(None, DRAW)
        assert self.match.play(*entry).winners == (0, 1)

    def test_one_whose_clock_rests_is_never_out_of_time(self) -> None:
        ready = self.match.play(0, "arrange RRRRBBBB")
        clocks = moved(PER_MOVE, started(PER_MOVE, self.match, NOW), self.match, ready.log[-1], ready, NOW)
        assert verdict(ready, clocks, NOW + 9 * DAY) == Ply(1, "timeout")


@pytest.mark.parametrize(
    ("time_control", "ahead"),
    [
        (TimeControl(5 * MINUTE), None),
        (TimeControl(10 * MINUTE), 5 * MINUTE),
        (TimeControl(2 * HOUR), 30 * MINUTE),
        (TimeControl(DAY), 6 * HOUR),
        (TimeControl(7 * DAY), 6 * HOUR),
        (TimeControl(10 * MINUTE, 5 * SECOND), None),
        (TimeControl(2 * HOUR, ZERO), 30 * MINUTE),
    ],
)
def test_a_reminder_comes_when_a_quarter_is_left(time_control: TimeControl, ahead: timedelta | None) -> None:
    assert reminder_lead(time_control) == ahead


def test_who_begins_a_turn_with_less_is_not_reminded() -> None:
    match = Match.start(find("skull"), {}, 2)
    time_control = TimeControl(2 * HOUR, ZERO)
    clocks = moved(
        time_control,
        (SeatClock(HOUR, NOW), SeatClock(20 * MINUTE)),
        match,
        Ply(0, "c3"),
        match.play(0, "c3"),
        NOW,
    )
    assert clocks[1] == SeatClock(20 * MINUTE, NOW + 20 * MINUTE)


@given(started_ago=st.integers(0, 3600), silent=st.integers(0, 7200), span=st.integers(60, 10**5))
def test_what_is_given_back_is_what_was_lost(started_ago: int, silent: int, span: int) -> None:
    """A clock that was started after the last sign of life has lost only what has passed since."""
    begun, since = NOW - started_ago * SECOND, NOW - silent * SECOND
    clock = SeatClock(span * SECOND, begun + span * SECOND, begun + 5 * SECOND)
    back = clock.given_back(since, NOW)
    lost = min(silent, started_ago) * SECOND
    assert back.left_at(NOW) == clock.left_at(NOW) + lost
    assert back.left_at(NOW) <= back.left
    assert back.remind_at == begun + 5 * SECOND + lost
    assert SeatClock(HOUR).given_back(since, NOW) == SeatClock(HOUR)
