"""Moments of finished games: known ones, and those of random games, proved by the rules alone."""

import json
import subprocess
import sys

import pytest

from rules.core.errors import BadSetup
from rules.core.match import Match
from rules.core.record import has_field
from rules.games import find
from rules.puzzles.moments import MOST, Moment, answer, moments, searchable
from rules.puzzles.proof import FEWEST, Prover, Unproved
from rules.puzzles.stock import RECIPES
from tests.rules.puzzles.by_rules import ByRules, TooMany
from tests.rules.walks import finish
from tests.seeds import chance_for

SMALL = {
    "skull": {"width": 5, "height": 4},
    "xlines": {"size": 5},
    "polygons": {"dots": 3, "size": 10},
    "spaghetti": {"size": 4},
    "maze": {"size": 3},
    "cocomposite": {"size": 4},
}
POSITIONS = 4_000
"""Positions that a proof by the rules alone may take."""


def played(key: str, moves: str, **options: int) -> Match:
    match = Match.start(find(key), options, 2)
    for text in moves.split():
        match = match.play(match.to_move[0], text)
    return match


SKULL = played("skull", "c2 c1 c3 d3 d1 e3 e2", width=5, height=4)
MAZE = played("maze", "d4-c2 c2-b3 a2-b2 b4-c3 6 8 12 11 10 13 5 2 4 9 7 3 1", size=3)


def told(moment: Moment) -> tuple[int, int, str, str, float]:
    return moment.ply, moment.seat, moment.played, " ".join(moment.puzzle.line), moment.puzzle.value


def test_known_games_have_known_moments() -> None:
    assert [told(it) for it in moments(SKULL)] == [
        (3, 1, "d3", "c4 b1 d4", 1),
        (4, 0, "d1", "d1 e3 e2", 1),
    ]
    assert [it.found for it in moments(SKULL)] == [False, True]
    assert [told(it) for it in moments(MAZE)] == [(3, 1, "b4-c3", "c2-c3 3 8", 1), (10, 0, "5", "5", 0.5)]


def test_a_missed_move_is_worth_more_than_a_found_one_and_a_longer_line_more_than_both() -> None:
    missed, found = moments(SKULL)
    assert missed.worth > found.worth
    longer, drawn = moments(MAZE)
    assert longer.worth > drawn.worth


def test_play_to_the_end_of_a_line_gives_one_moment() -> None:
    longest = moments(played("alaric", "5 7 9 8 6 1 7 3 8 2 4", size=9))
    line = next(it.puzzle for it in longest if it.puzzle.only_moves > 2)
    match = line.after(line.only_moves)
    while not match.over:
        match = match.play(match.to_move[0], (match.legal() or ())[0])
    assert Prover(match.game, draws=False).puzzle(line.after(1)) is not None
    within = range(len(line.moves), len(line.moves) + len(line.line))
    (only,) = (it for it in moments(match) if it.ply in within and it.seat == line.seat)
    assert only.puzzle == line
    assert only.found


def test_a_game_that_was_resigned_has_its_moments_before_that() -> None:
    resigned = Match.replay(SKULL.game, SKULL.setup, SKULL.log[:6]).play(1, "resign")
    assert [told(it) for it in moments(resigned)] == [told(it) for it in moments(SKULL)]


@pytest.mark.parametrize(
    "match",
    [
        Match.replay(SKULL.game, SKULL.setup, SKULL.log[:6]),
        Match.replay(SKULL.game, SKULL.setup, SKULL.log[:6]).play(None, "void"),
        finish(Match.start(find("maze"), {"size": 3}, 3), chance_for("three"), 200),
        finish(Match.start(find("palindromes"), {}, 2), chance_for("cards"), 200),
    ],
    ids=["running", "broken off", "three players", "hidden moves"],
)
def test_only_finished_games_of_two_with_open_moves_have_moments(match: Match) -> None:
    assert not searchable(match)
    with pytest.raises(BadSetup, match="finished games of two players"):
        moments(match)


@pytest.mark.parametrize(
    ("key", "number"),
    [
        *((key, 1) for key in RECIPES if key not in ("maze", "polygons", "spaghetti")),  # these take long
        *(pytest.param(key, 60, marks=pytest.mark.soak) for key in RECIPES),
    ],
)
def test_every_moment_of_a_random_game_is_proved_by_the_rules_alone(key: str, number: int) -> None:
    """Alaric may go round without end, so that the rules alone prove nothing there: its solver stands for them."""
    chance, proved = chance_for(f"moments {key}"), 0
    while proved < number:
        match = finish(Match.start(find(key), SMALL.get(key, {"size": 9}), 2), chance, 200)
        found = moments(match)
        assert len(found) <= MOST
        assert [it.ply for it in found] == sorted({it.ply for it in found})
        for it in found:
            stage = it.puzzle.match
            assert stage.log == match.log[: it.ply]
            assert match.log[it.ply] == (it.seat, it.played)
            assert stage.to_move == (it.seat,)
            assert len(stage.legal() or ()) >= FEWEST
            if key == "alaric":
                assert Prover(match.game, draws=False).puzzle(stage) == it.puzzle
                proved += 1
                continue
            try:
                values = ByRules(stage, POSITIONS).moves(stage)
            except TooMany:
                continue
            assert values.pop(it.puzzle.line[0]) == it.puzzle.value
            assert all(value < it.puzzle.value for value in values.values())
            proved += 1


def test_a_prover_makes_no_more_proofs_than_it_may() -> None:
    stage = moments(SKULL)[0].puzzle.match
    assert Prover(SKULL.game, draws=True, proofs=1_000).puzzle(stage)
    with pytest.raises(Unproved):
        Prover(SKULL.game, draws=True, proofs=2).puzzle(stage)


def line_for(match: Match) -> str:
    moves = [[seat, text] for seat, text in match.log]
    return json.dumps(
        {"game": match.setup.game, "options": dict(match.setup.options), "moves": moves, "moments": True}
    )


def test_the_search_process_answers_with_moments_and_with_moves() -> None:
    lines = line_for(SKULL) + "\n" + '{"game": "alaric", "options": {"size": 5}, "level": 1}\n'
    done = subprocess.run(
        [sys.executable, "-m", "rules", "bestmove"], input=lines, capture_output=True, text=True, check=True
    )
    first, second = map(json.loads, done.stdout.splitlines())
    assert [(it["ply"], it["played"], it["line"]) for it in first["moments"]] == [
        (it.ply, it.played, list(it.puzzle.line)) for it in moments(SKULL)
    ]
    assert first["seconds"] >= 0
    assert "move" in second


def test_a_line_that_cannot_be_searched_is_answered_by_a_sentence() -> None:
    running = Match.replay(SKULL.game, SKULL.setup, SKULL.log[:3])
    assert "finished games of two players" in str(answer(line_for(running))["error"])
    assert not has_field("nonsense", "moments")
    assert not has_field('["moments"]', "moments")
    assert "has no field" in str(answer('{"game": "skull", "moments": true, "level": 3}')["error"])
