"""A hidden hand, row or find reaches nobody but its owner: not in a message, a picture, a name, a completion, a log."""

import json
import re
from typing import Any

import aiohttp

from tests.contract.player import Player
from tests.e2e.conftest import Club
from tests.e2e.panels import AFTERWARDS, Panel, components, message_with, panel_at, panels, text_of
from tests.e2e.play import challenge

CARDS = 8
SALTED = re.compile("`[0-9a-f]{32}`")
"""A hash with a salt that nobody else knows yet."""
_HAND = re.compile(r"(?P<reds>[0-9]+) times R and (?P<blacks>[0-9]+) times B")


async def buttons(player: Player, words: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The newest message that says `words`, and its buttons' custom ids by label."""
    message = await message_with(player, words)
    return message, {part["label"]: part["custom_id"] for part in components(message) if part["type"] == 2}


async def look(player: Player, panel: Panel, asked: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The player looks at their hand and is asked something; the message, and the buttons under it."""
    await player.press(panel.message, panel.buttons["Look and move"])
    message, found = await buttons(player, f"**The Palindromic Card Game #{panel.match}**: {asked}")
    assert message["ephemeral_for"] == player.id
    return message, found


async def hand(player: Player, panel: Panel) -> tuple[dict[str, Any], int, int]:
    """The form for the player's row, and how many red and black cards it asks for."""
    message, found = await look(player, panel, "Arrange all your cards")
    opened = await player.press(message, found["Lay the row"])
    held = _HAND.search(json.dumps(opened["modal"]))
    assert held is not None
    return opened, int(held["reds"]), int(held["blacks"])


async def lay(player: Player, panel: Panel, *, reds_first: bool) -> str:
    """The player lays a row and seals it; the row."""
    opened, reds, blacks = await hand(player, panel)
    row = "R" * reds + "B" * blacks if reds_first else "B" * blacks + "R" * reds
    await player.submit(opened, row=" ".join(row).lower())
    message, found = await buttons(player, f"arrange {row}")
    assert message["ephemeral_for"] == player.id
    await player.press(message, found["Seal it"])
    await message_with(player, f"`arrange {row}` counts")
    return row


async def everything(player: Player) -> str:
    """All that a member can see in the channel, pictures included, but for what differs from game to game anyway."""
    seen = []
    async with aiohttp.ClientSession() as session:
        for message in await player.messages():
            pictures = []
            for part in components(message):
                for item in part.get("items", ()):
                    async with session.get(item["media"]["url"]) as response:
                        pictures.append((await response.read()).hex())
            seen.append([text_of(message), message["mentions"], pictures, message["components"]])
    text = json.dumps(seen)
    text = re.sub(r'"(id|attachment_id)": "?[0-9]+"?', "", text)
    text = re.sub(r"http://127[^\"]*/|[0-9]{4}-[0-9]{2}-[0-9]{2}T[^\"]*|<t:[0-9]+", "", text)
    return re.sub(r"(?<=[#:-])[0-9]+(?=[-:\" ])", "", text)


async def test_no_byte_tells_of_a_hidden_move(club: Club) -> None:
    """Two games, in which Ada is dealt and lays whatever it is, look the same to everybody else."""
    views = []
    for reds_first in (True, False):
        panel = await challenge(club.ada, club.grace, "palindromes", str(CARDS))
        while club.ada.id not in panel.text.partition(" against ")[0]:
            # Seats are drawn by lot; the games compared have Ada in the first.
            await resign(club.grace, panel)
            panel = await challenge(club.ada, club.grace, "palindromes", str(CARDS))
        before = {message["id"] for message in await club.emmy.messages()}
        row = await lay(club.ada, panel, reds_first=reds_first)
        sealed = await panel_at(club.emmy, panel.match, panel.plies + 1)
        fresh = [message for message in await club.emmy.messages() if message["id"] not in before]
        assert [message["id"] for message in fresh] == [sealed.message["id"]]
        views.append((row, await only(club.emmy, panel, sealed), await only(club.grace, panel, sealed)))
        assert row not in club.bot.log.replace(" ", "")
        await resign(club.grace, panel)
    (first, *seen), (second, *again) = views
    assert first != second
    assert seen == again


async def test_finds_are_seen_by_their_finder_alone(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "palindromes", str(CARDS))
    await lay(club.ada, panel, reds_first=True)
    panel = await panel_at(club.grace, panel.match, panel.plies + 1)
    await lay(club.grace, panel, reds_first=False)
    panel = await panel_at(club.ada, panel.match, panel.plies + 1)
    before = [await everything(member) for member in (club.grace, club.emmy)]
    message, found = await look(club.ada, panel, "Name, in secret")
    opened = await club.ada.press(message, found["Name some"])
    await club.ada.submit(opened, words="R RR B RBR")
    answers = text_of(await message_with(club.ada, "`find R` counts")).splitlines()
    assert len(answers) == 4
    assert "does not begin and end with red" in answers[2]
    assert [await everything(member) for member in (club.grace, club.emmy)] == before
    assert (await club.grace.autocomplete("move", "move", move="", game=panel.match))["choices"] == []

    for member in (club.ada, club.grace):
        message, found = await look(member, panel, "Name, in secret")
        await member.press(message, found["done"])
    over = await panel_at(club.emmy, panel.match, panel.plies + 1)
    while over.turn is not None or set(over.buttons) != AFTERWARDS:
        over = (await panels(club.emmy))[-1]
    assert "find" not in club.bot.log
    assert re.search(r"wins|draw", over.text)


async def only(player: Player, *boards: Panel) -> str:
    """What a member sees of these boards."""
    seen = [await player.get(f"messages/{board.message['id']}") for board in boards]
    pictures = []
    async with aiohttp.ClientSession() as session:
        for message in seen:
            for part in components(message):
                for item in part.get("items", ()):
                    async with session.get(item["media"]["url"]) as response:
                        pictures.append((item["description"], (await response.read()).hex()))
    number = f"#{boards[0].match}"
    return SALTED.sub(
        "`0`", json.dumps([[text_of(message).replace(number, "#") for message in seen], pictures])
    )


async def resign(player: Player, panel: Panel) -> None:
    await player.command("resign", game=panel.match)
    message, found = await buttons(player, f"resign The Palindromic Card Game #{panel.match}")
    await player.press(message, found["Yes, resign"])
    await message_with(player, f"You resigned The Palindromic Card Game #{panel.match}")
