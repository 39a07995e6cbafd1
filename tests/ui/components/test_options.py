"""Menus of games."""

import pytest

from bot.ui.components.message_parts import LONGEST, game_option
from render.games import HOSTED_GAMES
from tests.rules.walks import AnyGame, key


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=key)
def test_a_menu_shows_the_whole_pitch_of_a_game(game: AnyGame) -> None:
    assert game_option(game).description == game.sheet.pitch
    assert len(game.sheet.pitch) <= LONGEST
