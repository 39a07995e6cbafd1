"""Reading the bot's messages as a member does, and using what stands on them."""

import asyncio
from collections.abc import Iterator
from typing import Any

from tests.contract.player import Player

Json = dict[str, Any]
PATIENCE = 60.0
"""Seconds after which a message that does not come fails the test."""
EPHEMERAL = 1 << 6


# --- reading one message


def components(message: Json) -> Iterator[Json]:
    """Every component of a message, however deep."""
    todo = list(message["components"])
    while todo:
        part = todo.pop(0)
        yield part
        todo = [*part.get("components", ()), *todo]
        if accessory := part.get("accessory"):
            todo.insert(0, accessory)


def text_of(message: Json) -> str:
    """All that a message says in words."""
    words = [message["content"], *(part["content"] for part in components(message) if part["type"] == 10)]
    return "\n".join(words)


def pinged(message: Json) -> list[str]:
    """The ids of the members that a message pings."""
    return [user["id"] for user in message["mentions"]]


def buttons(message: Json) -> dict[str, str]:
    """Custom id by label, of every button."""
    return {part["label"]: part["custom_id"] for part in components(message) if part["type"] == 2}


def usable_buttons(message: Json) -> dict[str, str]:
    """Custom id by label, disabled buttons left out."""
    return {
        part["label"]: part["custom_id"]
        for part in components(message)
        if part["type"] == 2 and not part.get("disabled")
    }


def usable_labels(message: Json) -> set[str]:
    """The labels of the buttons that can be pressed."""
    return set(usable_buttons(message))


def menus(message: Json) -> list[str]:
    """The custom ids of the menus with options."""
    return [part["custom_id"] for part in components(message) if part["type"] == 3]


def chosen(message: Json, custom_id: str) -> list[str]:
    """The options of a menu that are shown as chosen."""
    select = next(part for part in components(message) if part.get("custom_id") == custom_id)
    if "options" not in select:
        return [value["id"] for value in select.get("default_values", [])]
    return [option["value"] for option in select["options"] if option.get("default")]


# --- waiting for messages


async def message_with(player: Player, words: str) -> Json:
    """The newest message that says `words`, once it is there."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for message in reversed(await player.messages()):
                if words in text_of(message):
                    return message
            await asyncio.sleep(0.02)


async def told(player: Player, words: str) -> Json:
    """The newest message that says `words`, once it is there; nobody else sees it."""
    message = await message_with(player, words)
    assert message["ephemeral_for"] == player.id
    assert message["flags"] & EPHEMERAL
    return message


async def until(player: Player, message: Json, words: str) -> Json:
    """The message once it says `words`."""
    async with asyncio.timeout(PATIENCE):
        while True:
            now: Json = await player.get(f"messages/{message['id']}")
            if words in text_of(now):
                return now
            await asyncio.sleep(0.02)


async def answered(player: Player, command: str, **options: object) -> Json:
    """The answer to a command, which only this member sees, once it is there."""
    return await answer_saying(player, "", command, **options)


async def answer_saying(player: Player, words: str, command: str, **options: object) -> Json:
    """The answer to a command, which only this member sees, once it is there and says `words`."""
    answer = await player.command(command, None, **options)
    async with asyncio.timeout(PATIENCE):
        while True:
            message: Json = await player.get(f"messages/{answer['message']['id']}")
            if message["state"] == "sent" and words in text_of(message):
                assert message["ephemeral_for"] == player.id
                return message
            await asyncio.sleep(0.02)


async def direct(player: Player) -> list[Json]:
    """The bot's direct messages to a member."""
    return await player.messages((await player.post("direct"))["id"])


async def written(player: Player, count: int) -> list[Json]:
    """The bot's direct messages to a member, once there are so many."""
    async with asyncio.timeout(PATIENCE):
        while len(found := await direct(player)) < count:
            await asyncio.sleep(0.02)
    return found


async def files(player: Player, message: Json) -> dict[str, bytes]:
    """The files of a message, by name."""
    return {one["filename"]: await player.fetch(one["url"]) for one in message["attachments"]}


# --- using what stands on a message


async def press(player: Player, message: Json, label: str) -> None:
    """Press the button with this label on a message as it is now."""
    seen = await player.get(f"messages/{message['id']}")
    answer = await player.press(seen, buttons(seen)[label])
    assert answer["outcome"] in ("update", "message"), answer


async def choose(player: Player, message: Json, custom_id: str, *values: str) -> Json:
    """Choose in a message that is redrawn in place, and wait until it shows the choice; the message then."""
    assert (await player.choose(message, custom_id, *values))["outcome"] == "update"
    async with asyncio.timeout(PATIENCE):
        while True:
            seen: Json = await player.get(f"messages/{message['id']}")
            if set(chosen(seen, custom_id)) == set(values):
                return seen
            await asyncio.sleep(0.02)


async def open_preferences(player: Player) -> Json:
    return await answered(player, "preferences")


async def open_settings(player: Player) -> Json:
    return await answered(player, "settings")
