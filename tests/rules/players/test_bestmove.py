"""The computer players' text interface."""

import json
import subprocess
import sys

import pytest

from rules.players.bestmove import answer


def ask(**fields: object) -> dict[str, object]:
    return answer(json.dumps(fields))


def test_process_answers_one_line_for_each() -> None:
    lines = (
        '{"game": "alaric", "options": {"size": 5}, "level": 1}\n\nnonsense\n{"game": "maze", "nodes": 3}\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "rules", "bestmove"], input=lines, capture_output=True, text=True, check=True
    )
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert set(first) == set(third) == {"move", "value", "exact", "nodes"}
    assert second == {"error": "This line is not JSON."}


def test_detail_tells_visits_and_the_shares_of_more_than_two_seats() -> None:
    two = ask(game="alaric", options={"size": 20}, nodes=50, detail=True)
    assert two["shares"] == ()
    assert 0 < int(str(two["visits"])) <= 50
    three = ask(game="cocomposite", options={"size": 5}, players=3, nodes=50, detail=True)
    shares = three["shares"]
    assert isinstance(shares, tuple)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == three["value"]


def test_budget_of_nodes_is_kept() -> None:
    assert ask(game="maze", nodes=17)["nodes"] == 17


def test_strongest_level_is_the_default() -> None:
    position = {"game": "skull", "options": {"width": 3, "height": 3}, "moves": [[0, "a1"]]}
    assert ask(**position) == ask(**position, level="best") == ask(**position, level=5)


def test_finished_record_may_carry_its_result() -> None:
    assert "move" in ask(game="skull", scores=None, winners=None, trace=[], level=1)


WRONG = [
    ({"game": "chess"}, "chess"),
    ({"game": "skull", "level": 6}, 'level must be from 1 to 5 or "best", not 6.'),
    ({"game": "skull", "level": True}, "level must be from 1 to 5"),
    ({"game": "skull", "nodes": 0}, "nodes must be a whole number from 1 up."),
    ({"game": "skull", "seconds": -1}, "seconds must be a number above 0."),
    ({"game": "skull", "seconds": 1e999}, "seconds must be a number above 0."),
    ({"game": "skull", "nodes": 5, "level": 1}, "one of level, nodes and seconds, not level and nodes"),
    ({"game": "skull", "seed": "x"}, "seed must be a whole number."),
    ({"game": "skull", "seat": 1}, "Seat 1 is not to move, but 0."),
    ({"game": "skull", "depth": 3}, "A line has no field"),
    ({"game": "skull", "moves": [[0, "resign"]]}, "This game is over."),
    ({"game": "palindromes"}, "Chance is to move"),
    ({"game": "palindromes", "moves": [[None, "deal 8"]]}, "More than one seat is to move"),
]


@pytest.mark.parametrize(("fields", "sentence"), WRONG)
def test_wrong_line_gets_a_sentence(fields: dict[str, object], sentence: str) -> None:
    said = ask(**fields)
    assert sentence in str(said["error"])
    assert "ply" not in said


def test_wrong_move_is_named_by_its_ply() -> None:
    assert ask(game="skull", moves=[[0, "a1"], [1, "a9"]])["ply"] == 1
