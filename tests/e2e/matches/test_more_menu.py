"""The menu behind a board's More button: each member is offered what they may do."""

from typing import Any

from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import buttons, message_with
from tests.e2e.panels import AFTERWARDS, Panel, panel_at
from tests.e2e.play import challenge


async def more(player: Player, panel: Panel) -> dict[str, Any]:
    """The menu that a member opens under a board, for their eyes alone."""
    assert (await player.press(panel.message, panel.buttons["More"]))["outcome"] == "update"
    menu = await message_with(player, f"#{panel.match}**: what would you like to do?")
    assert menu["ephemeral_for"] == player.id
    return menu


async def test_resigning_is_two_taps_and_a_question_away(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric")
    menu = await more(club.grace, panel)
    await club.grace.press(menu, buttons(menu)["Resign"])
    question = await message_with(club.grace, "Do you really want to resign")
    await club.grace.press(question, buttons(question)["Yes, resign"])
    over = await panel_at(club.ada, panel.match, 1)
    assert "resigned" in over.text
    assert set(over.buttons) == AFTERWARDS
