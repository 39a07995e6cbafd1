"""The playthroughs that are kept still come out the same, for every seat and for a spectator."""

import json
from dataclasses import dataclass

import pytest

from rules.core.match import Match
from rules.games import GAMES
from tests.rules.playthroughs import FOLDER, again, described, kept, plain
from tests.rules.walks import AnyGame, key


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_everybody_observes_what_they_did_when_it_was_written(game: AnyGame) -> None:
    for lines in kept(game):
        start, log = again(game, lines)
        for ply, (was, now) in enumerate(zip(lines, described(start, log), strict=True), start=-1):
            assert json.loads(now) == json.loads(was), f"ply {ply} of {lines[0]}"


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_every_named_size_is_there_to_its_end(game: AnyGame) -> None:
    ends = [
        Match.replay(game, start.setup, log) for start, log in (again(game, lines) for lines in kept(game))
    ]
    assert all(end.over for end in ends)
    played_out = [dict(end.setup.options) for end in ends if not end.left and not end.agreed]
    assert played_out == [dict(options) for options in game.sizes.values()]
    assert any(end.left for end in ends)
    assert any(end.agreed for end in ends)


def test_there_are_playthroughs_of_every_game_and_of_nothing_else() -> None:
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == {game.key for game in GAMES}


def test_a_view_may_hold_plain_values_only() -> None:
    @dataclass(frozen=True)
    class View:
        cells: frozenset[int]
        more: object

    assert plain(View(frozenset({3, 1}), None)) == {"cells": [1, 3], "more": None}
    with pytest.raises(TypeError):
        plain(View(frozenset(), object()))
