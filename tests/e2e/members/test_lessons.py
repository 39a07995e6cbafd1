"""A lesson over the wire: chosen from a menu, done by a typed move and by buttons, left and gone on with."""

import pytest

from rules.games import GAMES
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    answer_saying,
    answered,
    menus,
    press,
    text_of,
    told,
    until,
    usable_labels,
)


async def test_a_member_learns_a_game_alone(club: Club) -> None:
    menu = await answered(club.emmy, "learn")
    assert menus(menu) == ["learn"]
    await club.emmy.choose(menu, "learn", "skull")
    lesson = await told(club.emmy, "step 1 of 6")
    assert {"→ e3", "Type a move", "Hint", "Skip"} <= usable_labels(lesson)
    opened = await club.emmy.press(lesson, "try:skull:0:type:0:3")
    await club.emmy.submit(opened, move="E 3")
    await until(club.emmy, lesson, "**Done.** The path has grown by one skull.")
    await press(club.emmy, lesson, "Next")
    await until(club.emmy, lesson, "step 2 of 6")
    await press(club.emmy, lesson, "→ e3")
    missed = await until(club.emmy, lesson, "e3 touches only d3")
    assert "Try d2, and see why not." in text_of(missed)
    await press(club.emmy, lesson, "d2")
    await until(club.emmy, lesson, "**Done.** d2 touches 2 skulls (d3, c2)")
    assert await club.ada.messages() == []

    again = await answer_saying(club.emmy, "step 3 of 6", "learn", game="skull")
    assert {"b3", "c4", "Previous step"} <= usable_labels(again)
    assert "**Learn it** teaches you Alaric in two minutes." in text_of(await answered(club.emmy, "help"))


def moves(message: Json) -> list[str]:
    """The labels of the buttons for a move."""
    return [label for label in usable_labels(message) if label[0] in "↑→↓←"]


@pytest.mark.soak
async def test_learn_goes_on_in_the_middle_of_a_step(club: Club) -> None:
    """`/learn` goes on where the message was; the profile counts the lesson once it is done."""
    lesson = await answer_saying(club.ada, "step 1 of 6", "learn", game="skull")
    for step in range(2, 7):
        await press(club.ada, lesson, "Skip")
        await until(club.ada, lesson, f"step {step} of 6")
    await press(club.ada, lesson, "↓ d1")
    (left,) = moves(await until(club.ada, lesson, "Nib played"))
    again = await answer_saying(club.ada, "step 6 of 6", "learn", game="skull")
    assert moves(again) == [left]
    await press(club.ada, lesson, left)
    assert usable_labels(await until(club.ada, lesson, "**Done.** You beat")) == {
        "Play a game against the beginner",
        "Go through it again",
        "Explore",
    }
    await answer_saying(club.ada, f"1 of {len(GAMES)} lessons completed", "profile")
