"""Agreeing with the others in a game, over the wire: draws, takebacks, pauses and more time."""

from typing import Any

import pytest

from bot.sandbox import Fault
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import buttons, found_in, pinged, press_late, text_of, told
from tests.e2e.panels import Panel, panel_at, panels
from tests.e2e.play import accept, ask, by_command, by_more, challenge, more

EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")
DRAW = {"Accept the draw", "Decline the draw"}
TAKEBACK = {"Allow the takeback", "Decline the takeback"}


async def board_saying(player: Player, panel: Panel, words: str, without: str = "never said") -> Panel:
    """The only board of a match, once it says `words` and not `without`."""

    async def look() -> Panel | None:
        seen = [it for it in await panels(player) if it.match == panel.match]
        board = seen[0] if len(seen) == 1 else None  # There are two while it is posted again.
        right = board is not None and words in board.text and without not in board.text
        return board if right else None

    return await player.until(look)


async def mentions_of(player: Player, panel: Panel) -> list[dict[str, Any]]:
    """The messages that ask somebody to answer a proposal of a match."""
    seen = await player.messages()
    return [it for it in seen if "Answer on the board" in text_of(it) and f"#{panel.match}]" in text_of(it)]


async def asked(player: Player, panel: Panel, *members: Player) -> None:
    """Wait until exactly these members are asked to answer a proposal of a match, all by one message."""
    wanted = [sorted(it.id for it in members)] if members else []

    async def look() -> bool | None:
        found = [sorted(pinged(it)) for it in await mentions_of(player, panel)]
        return found == wanted or None

    await player.until(look)


async def asks(player: Player, panel: Panel, command: str, words: str, *members: Player) -> Panel:
    """A member proposes something to others ; the board then, which says so and can be answered."""
    await by_more(player, panel.match, command)
    await told(player, f"#{panel.match}. It stays open until the next move.")
    board = await board_saying(player, panel, words)
    assert board.message["ephemeral_for"] is None
    assert set(board.buttons) >= (DRAW if command == "draw" else TAKEBACK)
    assert "do you agree?" in board.text
    await asked(player, panel, *members)
    return board


async def settled(player: Player, panel: Panel, words: str) -> Panel:
    """Wait until the board says how a proposal ended, has no buttons for it, and nobody is asked; the board."""
    board = await board_saying(player, panel, words, without="do you agree?")
    assert not (DRAW | TAKEBACK) & set(board.buttons)
    await asked(player, panel)
    return board


async def test_a_draw_is_agreed(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric")
    menu = await more(club.ada, panel)
    await club.ada.press(menu, buttons(menu)["Offer a draw"])
    await told(club.ada, f"#{panel.match}. It stays open until the next move.")
    offer = await board_saying(club.grace, panel, f"offers a draw.** <@{club.grace.id}>, do you agree?")
    assert offer.message["id"] == panel.message["id"]
    await asked(club.grace, panel, club.grace)
    for member, words in (
        (club.ada, f"This waits for <@{club.grace.id}>"),
        (club.emmy, "Only those who play"),
    ):
        await member.press(offer.message, offer.buttons["Accept the draw"])
        await told(member, words)
    await club.grace.press(offer.message, offer.buttons["Accept the draw"])
    over = await panel_at(club.emmy, panel.match, 1)
    assert over.turn is None
    assert set(over.buttons) == {"Replay", "Review", "Rematch"}
    over = await settled(club.emmy, panel, "A draw was agreed.")
    assert "offer" not in over.text

    async def deleted() -> bool | None:
        return "stays open until" not in "".join(map(text_of, await club.ada.messages())) or None

    await club.ada.until(deleted)


async def test_an_offer_ends_with_the_next_move(club: Club) -> None:
    """And its buttons, used in spite of that, change nothing; nor does asking again before having moved."""
    panel = await challenge(club.ada, club.grace, "alaric")
    mover, waiter = club.by_turn(panel)
    offer = await asks(waiter, panel, "draw", "offers a draw", mover)
    club.local.faults.plan(*EDIT, Fault.RESET, times=100)
    await by_command(mover, panel, "3")
    await club.bot.says("error=ServerDisconnectedError", "error=ClientOSError")
    await mover.press(offer.message, offer.buttons["Accept the draw"])
    await told(mover, "The game has moved on, so this no longer applies.")
    club.local.faults.clear()
    board = await panel_at(mover, panel.match, 1)
    board = await settled(mover, board, " played ")
    assert "offer" not in board.text
    await by_more(waiter, panel.match, "draw")
    await told(waiter, "You have already offered a draw since your last move; try again after your next one.")
    await by_command(waiter, board, "5")
    board = await panel_at(mover, panel.match, 2)
    again = await asks(waiter, board, "draw", "offers a draw", mover)
    await mover.press(again.message, again.buttons["Decline the draw"])
    board = await settled(mover, again, "offered a draw: declined.")
    assert (board.plies, board.turn) == (2, mover.id)
    await by_command(mover, board, "8")
    board = await panel_at(mover, panel.match, 3)
    assert "offer" not in board.text


async def test_a_move_is_taken_back(club: Club) -> None:
    """The board goes back, calls who has to move, and buttons of the board before fit it no more."""
    panel = await challenge(club.ada, club.grace, "skull")
    mover, waiter = club.by_turn(panel)
    await by_command(mover, panel, "c3")
    undone = await panel_at(mover, panel.match, 1)
    asking = await asks(mover, undone, "takeback", "asks to take back `c3`", waiter)
    await waiter.press(asking.message, asking.buttons["Allow the takeback"])
    board = await board_saying(waiter, panel, "the game goes on from its start", without="do you agree?")
    assert board.turn == mover.id
    assert not TAKEBACK & set(board.buttons)

    def call(seen: list[dict[str, Any]]) -> list[str] | None:
        calls = [pinged(it) for it in seen if "your turn in" in text_of(it)]
        return calls[0] if len(calls) == 1 and calls[0] == [mover.id] else None

    await found_in(waiter, call)
    await asked(waiter, panel)
    await press_late(club.local, waiter, asking.moves["d3"])
    await told(waiter, "has moved on; play on its newest board")

    await club.emmy.command("replay", number=panel.match, move=0)
    await club.emmy.command("replay", number=panel.match, move=1)
    await told(club.emmy, "has no move yet; leave the option `move` out")


@pytest.mark.soak
async def test_a_game_is_paused_and_goes_on(club: Club) -> None:
    made = await ask(club.ada, [club.grace], "alaric", "quick", clock="3d")
    panel = await accept(club.grace, made["id"])
    await by_more(club.ada, panel.match, "pause")
    offer = await board_saying(
        club.grace, panel, "asks for a pause: no clock runs until a player ends the pause"
    )
    await club.grace.press(offer.message, offer.buttons["Agree to the pause"])
    await board_saying(club.ada, panel, "Paused until <t:", without="do you agree?")
    await by_more(club.grace, panel.match, "end-pause")
    await told(club.grace, f"You ended the pause of Alaric #{panel.match}; its clocks run again.")
    board = await board_saying(club.ada, panel, "asked for a pause: agreed.", without="Paused until")

    mover = club.ada if board.turn == club.ada.id else club.grace
    other = club.grace if mover is club.ada else club.ada
    await by_more(mover, panel.match, "more-time")
    offer = await board_saying(other, panel, "asks for 3 days more on their clock.")
    await other.press(offer.message, offer.buttons["Give more time"])
    await board_saying(mover, panel, "asked for more time: agreed.")
