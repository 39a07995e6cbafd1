"""The alt text of a new board of standard size describes all of it."""

import random
from typing import Any

import pytest

import render
from render.games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.match import Match
from tests.e2e.club import Club
from tests.e2e.messages import components
from tests.e2e.play import challenge
from tests.rules.walks import step

SAMPLED = "cocomposite"
"""The game whose board `make test` posts; `tests/render/test_complete.py` describes boards of all games."""


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.key, marks=[] if game.key == SAMPLED else pytest.mark.soak)
        for game in HOSTED_GAMES
    ],
)
async def test_board_is_described_completely(club: Club, game: Game[Any, Any]) -> None:
    panel = await challenge(club.ada, club.grace, game.key)
    (picture,) = next(part["items"] for part in components(panel.message) if part["type"] == 12)
    match = Match.start(game, game.check(game.sizes["standard"], 2), 2)
    while match.to_move == (None,):  # Nobody sees yet what was dealt, so any deal is described alike.
        match = step(match, random.Random(1))
    assert picture["description"] == render.alt(match.observe(None), 1_000_000)
