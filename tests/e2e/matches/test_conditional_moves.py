"""Conditional moves over the wire: entered on a private board, kept over a restart, and played when the other moves."""

import re

from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import (
    ANSWERED,
    Json,
    answer_saying,
    buttons,
    choose,
    components,
    menus,
    newest,
    once,
    open_preferences,
    press,
    text_of,
    told,
    until,
    usable_labels,
)
from tests.e2e.panels import Panel, calls_in, panel_at
from tests.e2e.play import by_button, challenge, more

LABEL = "Conditional moves"


async def opened(player: Player, panel: Panel) -> Json:
    """The private board of a member for conditional moves."""
    menu, known = await more(player, panel), {it["id"] for it in await player.messages()}
    await press(player, menu, LABEL)
    words = f"#{panel.match}: conditional moves"
    board = await newest(player, lambda it: it["id"] not in known and words in text_of(it))
    assert board["ephemeral_for"] == player.id
    return board


async def entered(player: Player, board: Json, text: str, words: str) -> Json:
    """Press a move on a private board; the board once it says `words`."""
    seen = await player.get(f"messages/{board['id']}")
    pattern = re.compile(rf"if:[0-9:]+:play:0:[0-9]+:{text}")
    ids = [it["custom_id"] for it in components(seen) if pattern.fullmatch(it.get("custom_id") or "")]
    assert (await player.press(seen, ids[0]))["outcome"] in ANSWERED
    return await until(player, board, words)


async def seen_by(player: Player) -> list[tuple[str, str]]:
    """The messages that a member sees, with their edits."""
    return [(it["id"], f"{text_of(it)} {it['edited_timestamp']}") for it in await player.messages()]


async def test_conditional_moves_are_played_when_the_other_moves(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric", "quick")
    mover, waiter = club.by_turn(panel)
    before = await seen_by(mover)
    board = await opened(waiter, panel)
    assert "You have entered no conditional moves" in text_of(board)
    assert "Remove all" not in buttons(board)
    board = await entered(waiter, board, "3", "If `3`, **then you play …**")
    board = await entered(waiter, board, "5", "1. If `3`, then `5`.")
    await club.restart()
    await press(waiter, board, "Back")
    await once(waiter, board, lambda now: "Back" not in buttons(now))
    board = await entered(waiter, board, "4", "2. If `4`: no answer yet.")
    board = await entered(waiter, board, "6", "2. If `4`, then `6`.")
    assert await seen_by(mover) == before, "something tells of conditional moves"
    assert LABEL not in buttons(await more(mover, panel))

    await by_button(mover, await panel_at(mover, panel.match, 0), "3")
    after = await panel_at(mover, panel.match, 2)
    assert f"<@{waiter.id}>" in after.text
    assert "answered with a conditional move" in after.text
    assert after.turn == mover.id
    assert calls_in(await mover.messages()) == [], "the mover sees the answer"
    await answer_saying(mover, "move 2 of 2:", "replay", number=panel.match, move=2)
    await answer_saying(mover, ", a conditional move", "replay", number=panel.match, move=2)

    board = await opened(waiter, after)
    assert "You have entered no conditional moves" in text_of(board), "the other branch is gone"
    board = await entered(waiter, board, "7", "If `7`: no answer yet.")
    board = await entered(waiter, board, "1", "1. If `7`, then `1`.")
    await waiter.choose(board, menus(board)[0], board_value(board))
    await until(waiter, board, "You have entered no conditional moves")
    board = await entered(waiter, board, "7", "If `7`: no answer yet.")
    preferences = await open_preferences(waiter)
    await press(waiter, preferences, "Play")
    preferences = await until(waiter, preferences, LABEL)
    await choose(waiter, preferences, "prefer:conditional", "off")
    await press(waiter, board, "Remove all")
    await told(waiter, "You have switched conditional moves off; `/preferences` switches them on.")
    assert LABEL not in usable_labels(await more(waiter, after))


def board_value(board: Json) -> str:
    """The value of the only option in the menu of a private board."""
    (menu,) = (it for it in components(board) if it["type"] == 3)
    value: str = menu["options"][0]["value"]
    return value
