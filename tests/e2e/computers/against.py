"""A member playing against the computer."""

from functools import partial
from typing import Any

from tests.contract.player import Player, Refused
from tests.e2e import secret_rows
from tests.e2e.messages import buttons, found_in, once
from tests.e2e.panels import Panel, boards_in, newest_board
from tests.e2e.play import by_button, by_command, by_modal, by_parts, legal


async def begun(player: Player, game: str, size: str = "quick", level: int = 1, **options: object) -> Panel:
    """A game that was started with `/play`, once it is the member's turn."""
    known = {board.match for board in boards_in(await player.messages())}
    answer = await player.command("play", None, game=game, size=size, level=level, **options)
    assert answer["outcome"] == "message", answer
    new = await newest_board(player, lambda board: board.match not in known)
    return await my_turn(player, new.match)


async def opened(player: Player, private: Panel) -> None:
    """Confirm that everybody may see a private game."""
    asked = await player.press(private.message, private.buttons["Go public"])
    words = "".join(part["content"] for part in asked["modal"]["components"])
    assert words == "Everybody in this channel will see the game from now on."
    await player.submit(asked)


async def newest(player: Player) -> Panel:
    """The newest board of all, once there is one."""
    return await newest_board(player, lambda _: True)


async def my_turn(player: Player, match: int, plies: int = -1) -> Panel:
    """The newest board of a match with more plies than this, once the member is on turn there or the match is over."""

    def find(seen: list[dict[str, object]]) -> Panel | None:
        boards = [board for board in boards_in(seen) if board.match == match and board.plies > plies]
        ready = bool(boards) and (boards[-1].turn == player.id or "Replay" in boards[-1].buttons)
        return boards[-1] if ready else None

    return await found_in(player, find)


async def move(player: Player, panel: Panel, text: str, number: int) -> None:
    """Play a move in the way that its number decides."""
    if number % 4 == 0:
        await by_modal(player, panel, text)
    elif number % 4 == 2:
        await by_command(player, panel, text)
    elif text in panel.moves:
        await by_button(player, panel, text)
    elif panel.parts:
        await by_parts(player, panel)
    else:
        await by_command(player, panel, text)


async def in_secret(player: Player, panel: Panel) -> None:
    """Seal a row, or name a palindrome and be done, on a private board or in the message that a public one opens."""
    message = await secret_rows.look(player, panel) if secret_rows.opener(panel.buttons) else panel.message
    if "Seal it" in secret_rows.buttons(message):
        reds, blacks = secret_rows.held(message)
        message = await secret_rows.type_row(player, message, "R" * reds + "B" * blacks)
        await player.press(message, buttons(message)["Seal it"])
    else:
        message = await secret_rows.name(player, message, "R RR")
        await be_done(player, message)


async def be_done(player: Player, message: dict[str, Any]) -> None:
    """End the search. A find of the computer may put the board in the place of the question at any moment."""
    while True:
        asked = buttons(message).get("Yes, done")
        try:
            await player.press(message, asked or buttons(message)["Done"])
        except Refused:
            pass  # The message has changed since it was read.
        else:
            if asked:
                return
        message = await once(player, message, partial(_edited, message))


def _edited(before: dict[str, Any], now: dict[str, Any]) -> bool:
    return bool(now["edited_timestamp"] != before["edited_timestamp"])


async def to_the_end(player: Player, panel: Panel) -> Panel:
    """Play a game against the computer to its end; the last board."""
    number = 0
    while panel.turn is not None:
        if secret_rows.opener(panel.buttons) or "Seal it" in panel.buttons or "Done" in panel.buttons:
            await in_secret(player, panel)
            panel = await my_turn(player, panel.match, panel.plies)
            continue
        moves = await legal(player, panel)
        await move(player, panel, moves[number % len(moves)], number)
        panel = await my_turn(player, panel.match, panel.plies)
        number += 1
    return panel
