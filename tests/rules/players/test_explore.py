"""The worth of every move: against the rules alone, and as a line of the text interface."""

import json

import pytest

from rules.core.match import Match
from rules.core.record import has_field
from rules.games import find
from rules.players.explore import answer, worths
from rules.puzzles.stock import of_game
from tests.rules.puzzles.by_rules import ByRules


@pytest.mark.parametrize("game", ["skull", "cocomposite", "maze"])
def test_proved_worths_agree_with_the_rules_alone(game: str) -> None:
    puzzle = min(of_game(game), key=lambda it: it.plies)
    found = worths(puzzle.match, 2.0)
    assert {it.move: it.value for it in found} == ByRules(puzzle.match, 20_000).moves(puzzle.match)
    assert all(it.exact for it in found)
    assert found[0].move == puzzle.line[0]
    assert found[0].plies == puzzle.plies


def test_each_legal_move_has_a_worth_and_the_best_comes_first() -> None:
    match = Match.start(find("cocomposite"), {"size": 6}, 3)
    found = worths(match, 0.3)
    assert sorted(it.move for it in found) == sorted(match.legal() or ())
    assert all(it.value is not None and 0 < it.value < 1 and not it.exact for it in found)
    values = [it.value or 0 for it in found]
    assert values == sorted(values, reverse=True)


def test_moves_that_end_the_game_are_known_even_without_time() -> None:
    match = Match.start(find("skull"), {"width": 3, "height": 3}, 2)
    while len(match.legal() or ()) > 0 and not any(
        match.play(match.to_move[0], it).over for it in match.legal() or ()
    ):
        match = match.play(match.to_move[0], (match.legal() or ())[0])
    ends = {it for it in match.legal() or () if match.play(match.to_move[0], it).over}
    assert ends
    found = {it.move: it for it in worths(match, 1e-9)}
    assert all(found[text].exact and found[text].plies in (1, None) for text in ends)


def test_line_is_answered_with_all_moves() -> None:
    line = json.dumps(
        {"game": "skull", "options": {"width": 3, "height": 3}, "moves": [[0, "a1"]], "every": 0.5}
    )
    assert has_field(line, "every")
    moves = answer(line)["moves"]
    assert isinstance(moves, list)
    assert set(moves[0]) == {"move", "value", "exact", "plies"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "palindromes", "every": 1}, "no move is hidden"),
        ({"game": "alaric", "every": 0}, "a number of seconds above 0"),
        ({"game": "alaric", "every": 1, "level": 3}, "has no field"),
    ],
)
def test_other_positions_and_fields_are_refused(fields: dict[str, object], words: str) -> None:
    assert words in str(answer(json.dumps(fields))["error"])
