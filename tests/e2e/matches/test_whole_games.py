"""Whole games, from the challenge to the leaderboard and to what they have earned: played over the wire by every way of
entering a move. `make test` plays Alaric to the end in `test_one_board.py`, and Maze in `test_text_board.py`."""

import re
from typing import Any

import pytest

from bot.app.achievements import ALL
from rules.core.game import Game
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import (
    answer_saying,
    answered,
    components,
    message_with,
    press,
    shown_to_all,
    text_of,
    told,
)
from tests.e2e.panels import AFTERWARDS, Panel
from tests.e2e.play import OPEN, challenge, to_the_end


@pytest.mark.soak
@pytest.mark.parametrize("game", OPEN, ids=lambda game: game.key)
async def test_a_game_to_the_leaderboard(club: Club, game: Game[Any, Any]) -> None:
    first = await challenge(club.ada, club.grace, game.key, next(iter(game.sizes)))
    last, used = await to_the_end((club.ada, club.grace), first)
    assert {"typed", "autocomplete"} <= used
    assert used & {"button", "parts"}
    assert set(last.buttons) - {"Proof"} == AFTERWARDS
    result = next(line for line in last.text.splitlines() if line.startswith("**"))
    await club.emmy.command("leaderboard", game=game.key)
    text = text_of(await message_with(club.emmy, f"Leaderboard: {game.sheet.title}"))
    for member in (club.ada, club.grace):
        line = next(line for line in text.splitlines() if f"<@{member.id}>" in line)
        won = result.startswith(f"**<@{member.id}>") and " beat " in result
        outcome = "0–1–0" if " drew " in result else "1–0–0" if won else "0–0–1"
        assert outcome in line
        titles = earned(last, member)
        assert ("Alas, Poor Yorick" in titles) == (game.key == "skull" and not won)
        await press(member, await answered(member, "profile"), "Achievements")
        listed = await told(member, f"-# {len(titles)} of {len(ALL)}")
        assert all(f"- **{title}**" in text_of(listed) for title in titles)
        assert text_of(listed).count("- *") == len(ALL)
        if titles:
            (menu,) = (part for part in components(listed) if part["type"] == 3)
            assert [option["label"] for option in menu["options"]] == titles
            await member.choose(listed, menu["custom_id"], menu["options"][0]["value"])
            film = await message_with(member, f"#{last.match}**, move by move")
            assert film["ephemeral_for"] == member.id
            await answer_saying(club.emmy, f"Achievements: {', '.join(titles)}", "profile", member=member.id)
            posted = text_of(await shown_to_all(member, listed))
            assert f"- **{titles[0]}**" in posted
            assert "- *" not in posted.replace("- **", "")


def earned(board: Panel, member: Player) -> list[str]:
    """The titles of what a last board says that a member has earned."""
    return re.findall(rf"^<@{member.id}> earned \*\*([^*]+)\*\*: “You .*”$", board.text, re.MULTILINE)
