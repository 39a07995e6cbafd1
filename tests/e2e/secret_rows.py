"""Secret rows: a hand is arranged by buttons or by typing, palindromes are pointed at or typed; only the owner sees
it."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rules.core.notation import suits
from tests.contract.player import Player
from tests.e2e.messages import components, found_in, message_with, newest, once, text_of, until
from tests.e2e.panels import Panel, newest_board
from tests.e2e.play import resign as give_up

Json = dict[str, Any]
Way = Callable[[Player, Json, str], Awaitable[Json]]
_HELD = re.compile("You hold ([0-9]+) ♦ and ([0-9]+) ♣")


def buttons(message: Json) -> dict[str, str]:
    """Custom ids of the buttons that can be pressed, by label without what is counted in it."""
    parts = [part for part in components(message) if part["type"] == 2 and not part.get("disabled")]
    return {re.sub(r" \([0-9]+\)$", "", part["label"]): part["custom_id"] for part in parts}


OPENERS = ("Lay my cards", "Find palindromes")
"""The labels of the button that opens a private board while rows are laid, and while they are searched."""


def opener(found: Mapping[str, str]) -> str | None:
    """The custom id of the button that opens a private board, of these by label; None if there is none."""
    return next((found[label] for label in OPENERS if label in found), None)


async def look(player: Player, panel: Panel) -> Json:
    """The player looks at what they hold, and nobody else does."""
    before = {message["id"] for message in await player.messages()}
    opens = opener(panel.buttons)
    assert opens is not None, panel.text
    await player.press(panel.message, opens)
    message = await newest(player, lambda it: it["id"] not in before and it["state"] == "sent")
    assert message["ephemeral_for"] == player.id, text_of(message)
    return message


def held(message: Json) -> tuple[int, int]:
    """The numbers of red and of black cards in the hand."""
    found = _HELD.search(text_of(message))
    assert found is not None, text_of(message)
    return int(found[1]), int(found[2])


async def press(player: Player, message: Json, label: str, words: str) -> Json:
    """Press a button of the player's own message; the message once it says `words`."""
    await player.press(message, buttons(message)[label])
    return await until(player, message, words)


async def choose(player: Player, message: Json, row: str) -> Json:
    """Lay a whole row by buttons for up to four cards of a colour; the message that shows it."""
    laid = ""
    if "Arrange" in buttons(message):
        message = await press(player, message, "Arrange", "♦ and ♣ begin a row of your own")
    for run in re.findall("R{1,4}|B{1,4}", row):
        laid += run
        words = (
            f"Your row: {suits(laid)}" if sum(held(message)) == len(laid) else f"You have laid {suits(laid)};"
        )
        message = await press(player, message, suits(run), words)
    return message


async def other_order(player: Player, message: Json) -> Json:
    """Take another order of the cards that are left; the message that shows it."""
    before = message["edited_timestamp"]
    await player.press(message, buttons(message)["Shuffle"])
    return await once(player, message, lambda now: now["edited_timestamp"] != before)


async def type_row(player: Player, message: Json, row: str) -> Json:
    """Type a whole row; the message that shows it."""
    opened = await player.press(message, buttons(message)["Type the row"])
    assert opened["outcome"] == "modal", opened
    await player.submit(opened, row=" ".join(row).lower())
    return await until(player, message, f"Your row: {suits(row)}")


async def seal(player: Player, message: Json) -> Json:
    """Seal the row that is shown."""
    return await press(player, message, "Seal it", "is sealed")


async def lay(player: Player, panel: Panel, *, reds_first: bool) -> str:
    """The player types a row and seals it; the row."""
    message = await look(player, panel)
    reds, blacks = held(message)
    row = "R" * reds + "B" * blacks if reds_first else "B" * blacks + "R" * reds
    await seal(player, await type_row(player, message, row))
    return row


async def point(player: Player, message: Json, first: int, last: int) -> Json:
    """Name a stretch by its first and last card; the message with the answer."""
    message = await press(player, message, f"♦ {first}", "Press its last card")
    label = f"{first}–{last}" if last > first else f"{first} alone"
    return await press(player, message, label, "Press the first card")


async def name(player: Player, message: Json, text: str) -> Json:
    """Name palindromes; the message with the answers."""
    return await send_form(player, message, await open_form(player, message), text)


async def done(player: Player, message: Json) -> None:
    """End the search, which is asked for once more; returns when the message says so, or is deleted at the end."""
    asked = await press(player, message, "Done", "Really done?")
    await player.press(asked, buttons(asked)["Yes, done"])

    def ended(seen: list[Json]) -> bool | None:
        return all(it["id"] != message["id"] or "You are done" in text_of(it) for it in seen) or None

    await found_in(player, ended)


async def open_form(player: Player, message: Json) -> Json:
    """Open the form for palindromes; the answer with it."""
    opened = await player.press(message, buttons(message)["Type palindromes"])
    assert opened["outcome"] == "modal", opened
    return opened


async def send_form(player: Player, message: Json, opened: Json, text: str) -> Json:
    """Name palindromes in an open form; the message with the answers."""
    before = message["edited_timestamp"]
    await player.submit(opened, words=text)
    return await once(player, message, lambda now: now["edited_timestamp"] != before)


async def resign(player: Player, panel: Panel) -> None:
    """The player gives up; returns when the last board is there."""
    await give_up(player, panel.match)
    await message_with(player, f"You resigned Palindromes #{panel.match}")
    await newest_board(player, lambda it: it.match == panel.match and "Replay" in it.buttons)
