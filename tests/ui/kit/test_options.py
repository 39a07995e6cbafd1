"""Menus of games."""

import pytest

from bot.ui.kit.options import LONGEST, game_option
from render.hosted_games import HOSTED_GAMES
from tests.rules.walks import AnyGame, key


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=key)
def test_pitch_is_cut_after_a_whole_word(game: AnyGame) -> None:
    said = game_option(game).description or ""
    assert len(said) <= LONGEST
    whole = said.removesuffix("…")
    assert game.sheet.pitch.startswith(whole)
    assert said == game.sheet.pitch or game.sheet.pitch[len(whole)] == " "
