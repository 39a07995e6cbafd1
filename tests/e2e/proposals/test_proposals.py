"""Agreeing with the others in a game: draws and takebacks, from the offer to what comes of it, over the wire."""

from pathlib import Path
from typing import Any

from bot.sandbox import Fault, Sandbox
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.matches.test_more_menu import more
from tests.e2e.messages import buttons, components, message_with, pinged, text_of, told
from tests.e2e.panels import Panel, newer_panel, no_controls, outcome, panel_at, shrunk
from tests.e2e.play import by_button, by_command, challenge, resigned

EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")


async def settled(player: Player, message: dict[str, Any], words: str) -> None:
    """Wait until a proposal's message says how it ended, and has no buttons."""
    closed = await message_with(player, words)
    assert closed["id"] == message["id"]
    assert not any(part["type"] == 2 for part in components(closed))


async def asks(player: Player, panel: Panel, command: str, words: str) -> dict[str, Any]:
    """A member proposes something by command; the message that everybody sees."""
    await player.command(command, game=panel.match)
    await told(player, f"#{panel.match}; this stays open until the next move")
    message = await message_with(player, words)
    assert f"#{panel.match}" in text_of(message)
    assert message["ephemeral_for"] is None
    assert set(buttons(message)) == {"Accept", "Decline"}
    return message


async def test_a_draw_is_agreed(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric")
    menu = await more(club.ada, panel)
    await club.ada.press(menu, buttons(menu)["Offer a draw"])
    await told(club.ada, f"#{panel.match}; this stays open until the next move")
    offer = await message_with(club.grace, "offers a draw")
    assert pinged(offer) == [club.grace.id]
    for member, words in (
        (club.ada, f"This waits for <@{club.grace.id}>"),
        (club.emmy, "Only those who play"),
    ):
        await member.press(offer, buttons(offer)["Accept"])
        await told(member, words)
    await club.grace.press(offer, buttons(offer)["Accept"])
    over = await panel_at(club.emmy, panel.match, 1)
    assert over.turn is None
    assert set(over.buttons) == {"Watch it again", "Review", "Rematch"}
    assert "A draw was agreed." in over.text
    await settled(club.grace, offer, "offered a draw.\n-# agreed")


async def test_an_offer_ends_with_the_next_move(club: Club) -> None:
    """And its buttons, used in spite of that, change nothing; nor does asking again before having moved."""
    panel = await challenge(club.ada, club.grace, "alaric")
    mover, waiter = club.by_turn(panel)
    offer = await asks(waiter, panel, "draw", "offers a draw")
    club.local.faults.plan(*EDIT, Fault.RESET, times=2)
    await by_command(mover, panel, "3")
    board = await panel_at(mover, panel.match, 1)
    # Both faults are used up before the next edit.
    await club.bot.says(f"message={offer['id']}")
    await club.bot.says(f"message={panel.message['id']}")
    await mover.press(offer, buttons(offer)["Accept"])
    await told(mover, "The game has moved on since; this does not stand any more.")
    await settled(mover, offer, "the game has moved on")
    await waiter.command("draw")
    await told(waiter, "You have asked for a draw since your last move; ask again after your next.")
    await by_command(waiter, board, "5")
    board = await panel_at(mover, panel.match, 2)
    again = await asks(waiter, board, "draw", "offers a draw")
    assert again["id"] != offer["id"]
    await mover.press(again, buttons(again)["Decline"])
    await settled(mover, again, "declined")
    assert (await panel_at(mover, panel.match, 2)).turn == mover.id


async def test_offers_in_two_games_never_touch_each_other(club: Club) -> None:
    one, two = [await challenge(club.ada, club.grace, "alaric") for _ in range(2)]
    first = await asks(club.ada, one, "draw", "offers a draw")
    second = await asks(club.ada, two, "draw", "offers a draw")
    assert set(buttons(first).values()).isdisjoint(buttons(second).values())
    await club.grace.press(first, buttons(first)["Accept"])
    assert (await panel_at(club.emmy, one.match, 1)).turn is None
    await settled(club.grace, first, "-# agreed")
    open_still = await club.grace.get(f"messages/{second['id']}")
    assert set(buttons(open_still)) == {"Accept", "Decline"}
    mover, _ = club.by_turn(two)
    await by_command(mover, two, "3")
    assert (await panel_at(mover, two.match, 1)).turn is not None


async def test_two_offers_meet(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric")
    offer = await asks(club.ada, panel, "draw", "offers a draw")
    await club.grace.command("draw")
    assert "A draw was agreed." in (await panel_at(club.ada, panel.match, 1)).text
    await settled(club.ada, offer, "-# agreed")


async def test_a_member_who_left_need_not_agree(club: Club) -> None:
    panel = await challenge(club.ada, (club.grace, club.emmy), "maze", "quick")
    offer = await asks(club.ada, panel, "draw", "offers a draw")
    assert set(pinged(offer)) == {club.grace.id, club.emmy.id}
    await club.grace.press(offer, buttons(offer)["Accept"])
    half = await message_with(club.emmy, "agreed.\n")
    assert f"<@{club.emmy.id}>, do you agree?" in text_of(half)
    assert set(buttons(half)) == {"Accept", "Decline"}
    await resigned(club.emmy, panel)
    over = await panel_at(club.ada, panel.match, 2)
    assert "A draw was agreed." in over.text
    assert f"<@{club.emmy.id}>" not in outcome(over)
    await settled(club.ada, offer, "-# agreed")


async def test_a_move_is_taken_back(club: Club) -> None:
    """The board is posted anew, calls who has to move, and buttons of the board before fit no other."""
    panel = await challenge(club.ada, club.grace, "skull")
    mover, waiter = club.by_turn(panel)
    await by_command(mover, panel, "c3")
    undone = await panel_at(mover, panel.match, 1)
    asking = await asks(mover, undone, "takeback", "asks to take back `c3`")
    assert pinged(asking) == [waiter.id]
    await waiter.press(asking, buttons(asking)["Accept"])
    board = await newer_panel(waiter, undone)
    assert board.turn == mover.id
    assert pinged(board.message) == [mover.id]
    assert "the game goes on from its start" in board.text
    await no_controls(waiter, undone)
    await settled(waiter, asking, "-# agreed")

    await club.emmy.command("replay", game=panel.match, move=0)
    await club.emmy.command("replay", game=panel.match, move=1)
    await told(club.emmy, "has 0 moves so far")


async def test_buttons_of_a_board_that_was_taken_back_fit_no_other(club: Club) -> None:
    """Even where Discord would not let them be taken away, and as many moves have been made again."""
    panel = await challenge(club.ada, club.grace, "skull")
    mover, waiter = club.by_turn(panel)
    await by_command(mover, panel, "c3")
    undone = await panel_at(mover, panel.match, 1)
    await no_controls(mover, panel)
    asking = await asks(mover, undone, "takeback", "asks to take back `c3`")
    club.local.faults.plan(*EDIT, Fault.RESET, times=100)
    await waiter.press(asking, buttons(asking)["Accept"])
    board = await newer_panel(waiter, undone)
    await club.bot.says("message not edited")
    await by_command(mover, board, "d3")
    again = await newer_panel(waiter, board)
    await by_button(waiter, undone, "c2")
    await told(waiter, "has moved on; play on its newest message")
    club.local.faults.clear()
    await by_button(waiter, again, "c3")
    assert "c3" in (await newer_panel(mover, again)).text
    for old, words in ((undone, "taken back to the start"), (board, "d3"), (again, "c3")):
        assert words in await shrunk(waiter, old)


async def test_moves_that_cannot_be_taken_back(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric")
    await club.ada.command("takeback")
    await told(club.ada, "nothing to take back")
    await club.emmy.command("takeback", game=panel.match)
    await told(club.emmy, "is played by")


async def test_an_offer_outlives_the_bot(contract: Contract, tmp_path: Path) -> None:
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, grace, _):
        async with bot_at(local.url, tmp_path):
            panel = await challenge(ada, grace, "alaric")
            offer = await asks(ada, panel, "draw", "offers a draw")
        async with bot_at(local.url, tmp_path):
            await grace.press(offer, buttons(offer)["Accept"])
            assert "A draw was agreed." in (await panel_at(grace, panel.match, 1)).text
            await settled(grace, offer, "-# agreed")
