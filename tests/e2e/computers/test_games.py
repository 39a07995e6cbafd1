"""Whole games against the computer, over the wire, with the real searches."""

import re
from typing import Any

import pytest

from bot.app.computers import played_by_computers
from bot.app.matches.results import FEWEST
from render.games import HOSTED_GAMES
from rules.core.game import Game
from tests.e2e.club import Club
from tests.e2e.computers.against import begun, my_turn, to_the_end
from tests.e2e.messages import text_of
from tests.e2e.panels import AFTERWARDS
from tests.e2e.play import by_button, resigned

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
PLAYED = [pytest.param(game, id=game.key) for game in HOSTED_GAMES if played_by_computers(game.key)]


@pytest.mark.soak
@pytest.mark.parametrize("game", PLAYED)
async def test_a_game_to_the_end(club: Club, game: Game[Any, Any]) -> None:
    """In `make test`, `test_a_game_in_the_direct_messages_of_the_bot` and `test_secrets.py` play to the end."""
    first = await begun(club.ada, game.key, SMALL.get(game.key, next(iter(game.sizes))), order="first")
    assert "🖍️ **Crayon**, level 1 of 5 · " in first.text
    last = await to_the_end(club.ada, first)
    assert set(last.buttons) - {"Proof"} == AFTERWARDS
    assert "against Crayon" in last.text
    assert "casual" in last.text
    messages = await club.ada.messages()
    assert not any("<@9" in text_of(message) for message in messages)
    await club.ada.press(last.message, last.buttons["Rematch"])
    again = await my_turn(club.ada, last.match + 1)
    assert "Crayon against" in again.text


@pytest.mark.soak
async def test_level_suits_the_rating(club: Club) -> None:
    """After a rated loss against the strongest level, another one is suggested, and the board says why."""
    ada = club.ada
    rated = await begun(ada, "alaric", "standard", 5, rated=True, order="first")
    while rated.plies < 2 * FEWEST:
        await by_button(ada, rated, next(iter(rated.moves)))
        rated = await my_turn(ada, rated.match, rated.plies)
    await resigned(ada, rated)
    await ada.command("play", game="alaric")
    board = await my_turn(ada, rated.match + 1)
    level = re.search(r"\*\*\w+\*\*, level (\d) of 5 · suits your rating of \d+ · ", board.text)
    assert level is not None
    assert level[1] != "5"
    assert not any(
        "your rating of" in text_of(it) for it in await ada.messages() if it["id"] != board.message["id"]
    )
