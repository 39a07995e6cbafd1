"""The puzzles with cards, proved by a second way to count palindromes (`tests/rules/plain/palindromes_rows.py`)."""

from itertools import islice

import pytest

from rules.puzzles import cards
from rules.puzzles.puzzle import HARDEST, Puzzle, read, write
from rules.puzzles.stock import of_game
from tests.rules.plain import palindromes_rows
from tests.seeds import chance_for, sample

PUZZLES = of_game("palindromes")
ROWS = [it for it in PUZZLES if not it.lays]


def test_the_same_puzzles_are_made_again() -> None:
    assert list(islice(cards.make(), 6)) == list(PUZZLES[:6])
    assert [cards.of_row(it.moves[1].removeprefix("arrange ")) for it in ROWS] == ROWS


def test_puzzles_are_stored_and_ordered_by_difficulty() -> None:
    assert all(read(write(puzzle)) == puzzle for puzzle in PUZZLES)
    assert len({puzzle.name for puzzle in PUZZLES}) == len(PUZZLES)
    assert {puzzle.difficulty for puzzle in PUZZLES} == set(range(1, HARDEST + 1))


@pytest.mark.sampled
def test_all_palindromes_of_a_row_are_asked_for() -> None:
    for puzzle in chance_for("rows").sample(ROWS, min(len(ROWS), sample(1000))):
        row = puzzle.moves[1].removeprefix("arrange ")
        expected = palindromes_rows.patterns(palindromes_rows.number(row), len(row))
        assert sorted(puzzle.line) == sorted(f"find {name}" for name in expected)
        assert puzzle.judged(puzzle.line, puzzle.reached(puzzle.line)) is True
        assert puzzle.judged(puzzle.line[1:], puzzle.reached(puzzle.line[1:])) is None
        assert puzzle.judged(["done"], puzzle.reached(["done"])) is False


@pytest.mark.parametrize(
    "size", [9, 11, *(pytest.param(it, marks=pytest.mark.soak) for it in (13, 14, 15, 17))]
)
def test_no_row_of_a_hand_is_worth_more_than_the_answer(size: int) -> None:
    best = palindromes_rows.best(size)
    hands = {int(it.moves[0].split()[1]): it for it in PUZZLES if it.lays and it.options[0] == size}
    assert set(hands) == {reds for reds, worth in enumerate(best) if worth}
    for reds, puzzle in hands.items():
        row = puzzle.line[0].removeprefix("arrange ")
        assert row.count("R") == reds
        assert palindromes_rows.worth(palindromes_rows.number(row), size) == best[reds]
        assert judged(puzzle, row[::-1]) is True
        assert judged(puzzle, "".join(sorted(row))) is False


def judged(puzzle: Puzzle, row: str) -> bool | None:
    moves = [f"arrange {row}"]
    return puzzle.judged(moves, puzzle.reached(moves))
