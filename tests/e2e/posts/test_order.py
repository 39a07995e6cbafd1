"""What members do while an earlier answer or post is on its way: in the end Discord shows what is newer."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from bot.sandbox import Fault
from bot.ui.matches.boards import NEAR
from tests.contract.player import Json, Player
from tests.e2e import secret_rows
from tests.e2e.club import Club
from tests.e2e.computers.against import begun, my_turn, newest
from tests.e2e.messages import answered, buttons, chosen, gone, menus, once, text_of, told
from tests.e2e.panels import newer_panel, newest_board, panel_at, removed
from tests.e2e.play import by_button, by_command, challenge, more
from tests.faults.of_discord import ANSWER, BOARD, CALLBACK, OLD_BOARD
from tests.waiting import wait_while

MENU = "what would you like to do?"


async def on_its_way(
    club: Club, call: tuple[str, str], acting: Coroutine[Any, Any, Json], seconds: float = 0.5
) -> asyncio.Task[Json]:
    """Let a member act, whose action causes a call that Discord carries out after some seconds; once it is made."""
    club.local.faults.plan(*call, Fault.SLOW, seconds=seconds)
    task = asyncio.create_task(acting)
    await wait_while(lambda: len(club.local.faults))
    return task


async def private_messages(member: Player) -> list[str]:
    """The ids of the messages that only this member sees."""
    return [it["id"] for it in await member.messages() if it["ephemeral_for"]]


async def test_a_board_is_used_before_it_is_recorded(club: Club) -> None:
    """The store still names the board before, but the one that was used is no copy of it that has to go."""
    first = await challenge(club.ada, club.grace, "skull")
    mover, waiter = club.by_turn(first)
    for _ in range(NEAR + 1):
        await waiter.say("Nice weather today.")
    club.local.faults.plan(*BOARD, Fault.LATE, seconds=0.5)
    moving = asyncio.create_task(by_command(mover, first, "c3"))
    posted = await newer_panel(waiter, first)
    await waiter.press(posted.message, posted.buttons["More"])
    await told(waiter, MENU)
    await moving
    await removed(mover, first)
    await by_button(waiter, posted, "c4")
    assert (await panel_at(mover, first.match, 2)).message["id"] == posted.message["id"]


async def test_an_older_menu_replaces_no_newer_one(club: Club) -> None:
    first = await challenge(club.ada, club.grace, "skull")
    menu = club.ada.press(first.message, first.buttons["More"])
    older = await on_its_way(club, CALLBACK, menu)
    newer = await club.ada.press(first.message, first.buttons["More"])
    await gone(club.ada, (await older)["message"])
    assert [it["id"] for it in await club.ada.messages() if MENU in text_of(it)] == [newer["message"]["id"]]


async def test_a_menu_that_comes_after_the_move_is_deleted(club: Club) -> None:
    first = await challenge(club.ada, club.grace, "skull")
    mover, _ = club.by_turn(first)
    older = await on_its_way(club, CALLBACK, mover.press(first.message, first.buttons["More"]))
    await by_command(mover, first, "c3")
    await gone(mover, (await older)["message"])


async def test_a_move_while_another_press_on_its_board_is_not_answered(club: Club) -> None:
    """Only an interaction that Discord has an answer to can edit the private board."""
    first = await begun(club.ada, "alaric", order="first")
    menu = await on_its_way(club, CALLBACK, club.ada.press(first.message, first.buttons["More"]), 1)
    await club.ada.command("move", move="1", number=first.match)
    after = await my_turn(club.ada, first.match, first.plies)
    assert after.message["id"] == first.message["id"]
    await menu


async def test_the_last_choice_in_a_private_message_is_shown(club: Club) -> None:
    message = await answered(club.ada, "play")
    (levels,) = menus(message)
    before = await on_its_way(club, CALLBACK, club.ada.choose(message, levels, "3"))
    await club.ada.choose(message, levels, "5")
    await before
    await once(club.ada, message, lambda now: chosen(now, levels) == ["5"])


async def test_a_search_stays_though_the_row_before_is_shown_late(club: Club) -> None:
    """Ada's row is sealed, and her board is on its way while Grace's row begins the search in Ada's message."""
    panel = await challenge(club.ada, club.grace, "palindromes", "8")
    rows = [await secret_rows.look(player, panel) for player in (club.ada, club.grace)]
    seal = secret_rows.buttons(rows[0])["Seal it"]
    sealing = await on_its_way(club, OLD_BOARD, club.ada.press(rows[0], seal))
    await secret_rows.seal(club.grace, rows[1])
    await sealing
    assert "Type palindromes" in secret_rows.buttons(await club.ada.get(f"messages/{rows[0]['id']}"))


async def test_a_private_board_is_dismissed_while_its_game_goes_public(club: Club) -> None:
    first = await begun(club.ada, "alaric", order="first")
    form = await club.ada.press(first.message, first.buttons["Go public"])
    opening = await on_its_way(club, BOARD, club.ada.submit(form))
    await club.ada.post("dismiss", message=first.message["id"])
    board = await newest(club.grace)
    await opening
    menu = await more(club.ada, board)
    assert [it["id"] for it in await club.ada.messages()] == [board.message["id"], menu["id"]]


async def test_a_menu_stays_when_a_proposal_is_declined(club: Club) -> None:
    """What is deleted is the menu of the proposal. It counts as told of, though Discord says that it is gone."""
    first = await challenge(club.ada, club.grace, "skull")
    mover, waiter = club.by_turn(first)
    before = await more(mover, first)
    club.local.faults.plan(*ANSWER, Fault.NOT_FOUND)
    await mover.press(before, buttons(before)["Offer a draw"])
    board = await newest_board(waiter, lambda it: "Decline the draw" in it.buttons)
    menu = await more(mover, board)
    await more(waiter, board)
    assert await private_messages(mover) == [before["id"], menu["id"]]
    await waiter.press(board.message, board.buttons["Decline the draw"])
    await gone(mover, before)
    assert await private_messages(mover) == [menu["id"]]


async def test_a_board_is_deleted_after_the_answers_to_its_buttons(club: Club) -> None:
    """In direct messages every move posts a new board; Discord refuses to acknowledge a press on a deleted one."""
    for member in (club.ada, club.grace):
        club.local.install(member.id)
    direct = (await club.ada.post("direct", **{"with": [club.grace.id]}))["id"]
    first = await challenge(club.ada.elsewhere(direct), club.grace.elsewhere(direct), "skull")
    mover, waiter = (it.elsewhere(direct) for it in club.by_turn(first))
    menu = await on_its_way(club, CALLBACK, waiter.press(first.message, first.buttons["More"]))
    await by_command(mover, first, "c3")
    assert (await menu)["outcome"] != "failed"
    await panel_at(waiter, first.match, 1)
