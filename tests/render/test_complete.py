"""Every game of the catalogue has all that render offers."""

import random
from typing import Any

import pytest

import render
from render.board.text import ALT_LIMIT, TEXT_LIMIT
from render.hosted_games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.match import Match
from tests.rules.walks import step


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=[game.key for game in HOSTED_GAMES])
def test_a_game_has_picture_alt_text_board_and_caption(game: Game[Any, Any]) -> None:
    match = Match.start(game, {}, game.seats[0])
    match = step(match, random.Random(1))
    seen = match.observe(None)
    assert render.draw(seen, "paper").startswith(b"\x89PNG")
    assert render.draw(seen, "slate") != render.draw(seen, "paper")
    assert game.sheet.title in render.alt(seen)
    assert len(render.alt(seen)) <= ALT_LIMIT
    assert 0 < len(render.text_board(seen)) <= TEXT_LIMIT
    assert render.caption(seen)
