"""The stock: as many puzzles as promised, all different, each proved."""

from collections import Counter
from datetime import date, timedelta
from itertools import islice

import pytest

from rules.games.alaric import AlaricView
from rules.puzzles.make import make, obvious
from rules.puzzles.proof import FEWEST, Prover
from rules.puzzles.puzzle import Puzzle, read, write
from rules.puzzles.stock import FOLDER, PUZZLED, RECIPES, RETIRED, of_day, of_game, retired, stock
from tests.rules.plain import alaric_solved
from tests.rules.puzzles.by_rules import ByRules, TooMany
from tests.seeds import chance_for
from tests.seeds import sample as share

pytestmark = pytest.mark.slow

SAMPLE = 1
"""Puzzles of each game that every run of the tests proves again."""
POSITIONS = 4_000
"""Positions that a proof by the rules alone may take."""


def sample(key: str, number: int) -> list[Puzzle]:
    return chance_for(f"puzzles {key}").sample(of_game(key), number)


def test_at_least_two_thousand_puzzles_of_at_least_five_games_in_less_than_a_megabyte() -> None:
    offered = [puzzle for key in RECIPES for puzzle in of_game(key)]
    assert len(offered) >= 2000
    assert len({puzzle.game for puzzle in offered}) >= 5
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000
    assert {path.stem for path in FOLDER.iterdir()} == {*PUZZLED, RETIRED}


@pytest.mark.parametrize("key", RECIPES)
@pytest.mark.parametrize("number", [20, pytest.param(None, marks=pytest.mark.soak)])
def test_every_puzzle_can_be_played(key: str, number: int | None) -> None:
    names = Counter(puzzle.name for puzzle in of_game(key))
    assert set(names.values()) == {1}
    for puzzle in sample(key, number or len(of_game(key))):
        match = puzzle.match
        assert len(match.legal() or ()) >= FEWEST
        for place, text in enumerate(puzzle.line):
            assert (match.to_move == (puzzle.seat,)) == (place % 2 == 0)
            match = match.play(match.to_move[0], text)
        assert puzzle.after(puzzle.only_moves).state == match.state
        assert puzzle.plies >= len(puzzle.line)
        assert read(write(puzzle)) == puzzle


@pytest.mark.parametrize("key", RECIPES)
@pytest.mark.parametrize("number", [20, pytest.param(None, marks=pytest.mark.soak)])
def test_no_puzzle_is_another_one_turned_or_mirrored(key: str, number: int | None) -> None:
    puzzles = sample(key, number or len(of_game(key)))
    keys = [puzzle.match.position_key for puzzle in puzzles]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("key", RECIPES)
@pytest.mark.parametrize("number", [SAMPLE, pytest.param(None, marks=pytest.mark.soak)])
def test_the_solvers_prove_it(key: str, number: int | None) -> None:
    for puzzle in sample(key, number or len(of_game(key))):
        assert Prover(puzzle.match.game, draws=True).puzzle(puzzle.match) == puzzle


@pytest.mark.parametrize("key", [key for key in RECIPES if key != "alaric"])
@pytest.mark.parametrize("number", [SAMPLE, pytest.param(40, marks=pytest.mark.soak)])
def test_the_rules_alone_prove_it(key: str, number: int) -> None:
    """Each only move of the line keeps the value, and every other move gives it away, by minimax over the referee."""
    proved = 0
    for puzzle in sample(key, len(of_game(key))):
        try:
            for found in range(puzzle.only_moves):
                match = puzzle.after(found)
                moves = ByRules(match, POSITIONS).moves(match)
                assert moves.pop(puzzle.line[2 * found]) == puzzle.value
                assert all(value < puzzle.value for value in moves.values())
        except TooMany:
            continue
        proved += 1
        if proved == number:
            break
    assert proved == number


@pytest.mark.soak
@pytest.mark.parametrize("size", [9, 11])
def test_a_second_table_proves_those_of_alaric(size: int) -> None:
    """Play may go round in rings without end, so that a second retrograde analysis stands for minimax."""
    margins = alaric_solved.solve(size)
    checked = 0
    for puzzle in of_game("alaric"):
        if puzzle.options != (size,):
            continue
        for found in range(puzzle.only_moves):
            match = puzzle.after(found)
            board, mover = match.observe(None).board, match.to_move[0]
            assert isinstance(board, AlaricView)
            own = sum(1 << cell for cell, stone in enumerate(board.stones) if stone == mover)
            held = sum(1 << cell for cell, stone in enumerate(board.stones) if stone is not None)
            forbidden = sum(1 << number - 1 for number in board.forbidden)
            after = alaric_solved.followers((own, held - own, forbidden), size)
            values = [(margin < 0) - (margin > 0) for margin in (margins[seen] for seen in after)]
            assert max(values) == 2 * puzzle.value - 1
            assert values.count(max(values)) == 1
            text = (match.legal() or ())[values.index(max(values))]
            assert text == puzzle.line[2 * found]
        checked += 1
    assert checked >= 30


@pytest.mark.sampled
@pytest.mark.parametrize("key", RECIPES)
def test_no_puzzle_is_obvious_or_leads_into_another(key: str) -> None:
    puzzles = of_game(key)
    starts = {puzzle.match.position_key for puzzle in puzzles}
    for puzzle in sample(key, min(len(puzzles), share(300))):
        assert not obvious(puzzle)
        later = {puzzle.after(found).position_key for found in range(1, puzzle.only_moves)}
        assert starts.isdisjoint(later)


@pytest.mark.parametrize("key", RECIPES)
def test_nearly_all_puzzles_ask_for_a_win(key: str) -> None:
    puzzles = of_game(key)
    assert sum(puzzle.value < 1 for puzzle in puzzles) <= sum(it.number * it.draws for it in RECIPES[key])


def test_retired_puzzles_can_still_be_played_and_are_not_offered() -> None:
    offered = {puzzle.name for key in PUZZLED for puzzle in of_game(key)}
    assert retired()
    assert offered.isdisjoint(puzzle.name for puzzle in retired())
    for puzzle in chance_for("retired").sample(retired(), 20):
        assert stock()[puzzle.name] == puzzle
        assert puzzle.line[0] in (puzzle.match.legal() or ())


def test_the_same_puzzles_are_made_again() -> None:
    for key in ("skull", "xlines"):
        assert list(islice(make(key), 2)) == list(of_game(key)[:2])


def test_a_puzzle_a_day() -> None:
    first = date(2026, 11, 23)
    assert first.weekday() == 0
    year = [of_day(first + timedelta(days=day)) for day in range(364)]
    for start in range(0, 364, 7):
        half_a_year = year[start : start + 182]
        assert len({puzzle.name for puzzle in half_a_year}) == len(half_a_year)
    weeks = [year[start : start + 7] for start in range(0, 364, 7)]
    for start in range(357):
        assert {puzzle.game for puzzle in year[start : start + len(PUZZLED)]} == set(PUZZLED)
    mondays, sundays = ([week[day].difficulty for week in weeks] for day in (0, 6))
    assert all({week[day].game for week in weeks} == set(PUZZLED) for day in range(7))
    assert max(mondays) == 1
    assert min(sundays) >= 2
