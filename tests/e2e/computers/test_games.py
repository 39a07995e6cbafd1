"""Whole games against the computer, over the wire, with the real searches."""

from typing import Any

import pytest

from bot.app.computers.games import played_by_computers
from render.games import HOSTED_GAMES
from rules.core.game import Game
from tests.e2e.club import Club
from tests.e2e.computers.against import begun, my_turn, to_the_end
from tests.e2e.messages import text_of
from tests.e2e.panels import AFTERWARDS

SMALL = {
    "skull": "4x3",
    "alaric": "6",
    "xlines": "4",
    "polygons": "2x10",
    "spaghetti": "3",
    "palindromes": "8",
    "maze": "2",
    "cocomposite": "5",
}
"""A small size of each game; another game is played on its shortest size."""
PLAYED = [game for game in HOSTED_GAMES if played_by_computers(game.key)]


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.key)
async def test_a_game_to_the_end(club: Club, game: Game[Any, Any]) -> None:
    first = await begun(club.ada, game.key, SMALL.get(game.key, next(iter(game.sizes))), order="first")
    assert "🖍️ **Crayon**, level 1 of 5 · " in first.text
    last = await to_the_end(club.ada, first)
    assert set(last.buttons) - {"Proof"} == AFTERWARDS
    assert "Crayon (computer)" in last.text
    assert "casual" in last.text
    messages = await club.ada.messages()
    assert not any("<@9" in text_of(message) for message in messages)
    await club.ada.press(last.message, last.buttons["Rematch"])
    again = await my_turn(club.ada, last.match + 1)
    assert "Crayon (computer) against" in again.text
