"""Whole games, from the challenge to the leaderboard, played over the wire by every way of entering a move."""

from typing import Any

import pytest

from rules.core.game import Game
from tests.e2e.conftest import Club
from tests.e2e.panels import AFTERWARDS, text_of
from tests.e2e.play import OPEN, challenge, to_the_end


@pytest.mark.parametrize("game", OPEN, ids=lambda game: game.key)
async def test_a_game_to_the_leaderboard(club: Club, game: Game[Any, Any]) -> None:
    first = await challenge(club.ada, club.grace, game.key, "quick")
    last, used = await to_the_end((club.ada, club.grace), first)
    assert {"typed", "autocomplete"} <= used
    assert used & {"button", "select", "narrowing"}
    assert set(last.buttons) == AFTERWARDS
    assert "wins" in last.text or "draw" in last.text
    board = await club.emmy.command("leaderboard", game=game.key)
    text = text_of(board["message"])
    for member in (club.ada, club.grace):
        line = next(line for line in text.splitlines() if f"<@{member.id}>" in line)
        won = f"<@{member.id}>" in last.text.splitlines()[-1] and "wins" in last.text
        outcome = "1 drawn" if "draw" in last.text else "1 won" if won else "1 lost"
        assert outcome in line
