"""Words about what positions and moves are worth."""

import pytest

from bot.ui.evaluations import expectation, promise, swing
from rules.players.review import Judged


def judged(before: float, after: float, *, exact: bool, error: float = 0.02) -> Judged:
    return Judged(4, 0, "3", before, after, exact, 0.0 if exact else error, "5")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (judged(1, 0.5, exact=True), "turned a won game into a drawn one (proved)"),
        (judged(1, 0, exact=True), "turned a won game into a lost one (proved)"),
        (judged(0.62, 0.31, exact=False), "lowered the chances from 62% to 31% ± 4 (estimated)"),
        (
            judged(0.62, 0.31, exact=False, error=0.0001),
            "lowered the chances from 62% to 31% ± 1 (estimated)",
        ),
        (judged(1, 1 / 3, exact=True), "lowered the chances from 100% to 33% (proved)"),
    ],
)
def test_swing_says_what_was_given_away(move: Judged, words: str) -> None:
    assert swing(move) == words


@pytest.mark.parametrize(
    ("value", "exact", "words"),
    [
        (1.0, True, "It wins for certain"),
        (0.5, True, "It draws with best play"),
        (0.0, True, "You are losing"),
        (1 / 3, True, "With best play you share the win: your part of it is 33%."),
        (0.618, False, "I estimate your chances at 62% from here."),
    ],
)
def test_hint_says_what_its_move_promises(value: float, exact: bool, words: str) -> None:
    assert promise(value, exact=exact).startswith(words)


def test_hint_speaks_of_one_opponent_or_several() -> None:
    assert promise(1.0, exact=True) == "It wins for certain, whatever your opponent plays."
    assert promise(1.0, exact=True, players=3) == "It wins for certain, whatever the others play."


def test_computer_says_what_it_expects() -> None:
    assert expectation(0.0, exact=True) == "This position is lost for me (proved)."
    assert expectation(1 / 3, exact=True) == "With best play I share the win: my part of it is 33% (proved)."
    assert expectation(None, exact=False) == promise(None, exact=False) == ""
    assert expectation(0.4, exact=False) == "I estimate my chances at 40%."
