"""The commands that members are offered, and the rules of every game."""

import pytest

from rules.games import find
from tests.e2e.club import Club
from tests.e2e.messages import (
    answer_saying,
    answered,
    components,
    menus,
    press,
    text_of,
    told,
    until,
    usable_labels,
)
from tests.e2e.play import accept, ask


async def test_the_commands_are_these(club: Club) -> None:
    names = {command["name"] for command in await club.ada.get("commands")}
    assert names == {
        "play", "challenge", "move", "board", "games", "help", "rules", "learn", "puzzle", "replay", "review",
        "leaderboard", "profile", "preferences", "settings", "cup",
        "Challenge to a game", "Replay this game", "Play on from here",
    }  # fmt: skip


@pytest.mark.soak
async def test_the_rules_of_two_games(club: Club) -> None:
    """Each begins with pictures; all of them can be paged through, and the last page is the rules in words."""
    for game in (find("skull"), find("cocomposite")):
        shown = await answer_saying(club.emmy, game.sheet.title, "rules", game=game.key)
        assert f"{game.sheet.author}, {game.sheet.year}" in text_of(shown)
        await press(club.emmy, shown, "All rules in words")
        text = text_of(await until(club.emmy, shown, "**Goal.**"))
        assert f"{game.sheet.author}, {game.sheet.year}" in text
        assert all(ruling in text for ruling in game.sheet.house)
    assert usable_labels(await until(club.emmy, shown, "**Goal.**")) == {"Back", "Learn it"}

    await press(club.emmy, shown, "Back")
    seen = await until(club.emmy, shown, "**4 of 4 · The end**")
    assert usable_labels(seen) == {"Back", "All rules in words", "Learn it"}
    await press(club.emmy, shown, "Back")
    seen = await until(club.emmy, shown, "**3 of 4 · Not allowed**")
    assert "> 9 needs an empty square or a multiple of 3; c3 holds 1." in text_of(seen)
    (gallery,) = (part for part in components(seen) if part["type"] == 12)
    assert gallery["items"][0]["media"]["url"].endswith("/cocomposite-how-3.png")
    assert "is crossed out" in gallery["items"][0]["description"]
    await press(club.emmy, shown, "Next")
    await until(club.emmy, shown, "**4 of 4")


async def test_the_rules_are_those_of_the_game_in_the_channel(club: Club) -> None:
    menu = await answered(club.emmy, "rules")
    assert menus(menu) == ["help:rules"]
    made = await ask(club.ada, [club.grace], "skull", "quick")
    await press(club.emmy, made, "How it is played")
    shown = await told(club.emmy, "**1 of 4 · Your move**")
    await press(club.emmy, shown, "Next")
    await until(club.emmy, shown, "**2 of 4")
    await accept(club.grace, made["id"])
    await answer_saying(club.emmy, "The Amazon Skull Game", "rules")
