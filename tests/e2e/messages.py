"""Reading the bot's messages as a member does, and using what stands on them."""

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from bot.sandbox import Sandbox
from tests.contract.player import Player

Json = dict[str, Any]
T = TypeVar("T")
EPHEMERAL, LOADING = 1 << 6, 1 << 7
_EMOJI = re.compile(r"<:\w+:[0-9]+> ")


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
    """All that a message says in words: the emojis before titles are left out."""
    words = [message["content"], *(part["content"] for part in components(message) if part["type"] == 10)]
    return _EMOJI.sub("", "\n".join(words))


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


async def found_in(player: Player, find: Callable[[list[Json]], T | None], channel: str | None = None) -> T:
    """The result of `find`, given the messages that a member sees in a channel, oldest first, once it is not None."""

    async def look() -> T | None:
        return find(await player.messages(channel))

    return await player.until(look)


async def once(player: Player, message: Json, true: Callable[[Json], bool]) -> Json:
    """The message as a member sees it, once `true` of it."""

    async def look() -> Json | None:
        now: Json = await player.get(f"messages/{message['id']}")
        return now if true(now) else None

    return await player.until(look)


async def newest(player: Player, right: Callable[[Json], bool], channel: str | None = None) -> Json:
    """The newest message of which `right` is true, once it is there."""
    return await found_in(player, lambda seen: next(filter(right, reversed(seen)), None), channel)


async def message_with(player: Player, words: str, channel: str | None = None) -> Json:
    """The newest message that says `words`, once it is there."""
    return await newest(player, lambda it: words in text_of(it), channel)


async def told(player: Player, words: str) -> Json:
    """The newest private message that says `words`, once it is there."""
    message = await newest(player, lambda it: it["ephemeral_for"] == player.id and words in text_of(it))
    assert message["flags"] & EPHEMERAL
    return message


async def called(player: Player) -> Json:
    """Wait until one message tells somebody that it is their turn, and mentions this member only; that message."""

    async def look() -> Json | None:
        calls = [it for it in await player.messages() if "your turn in" in text_of(it)]
        return calls[0] if [pinged(it) for it in calls] == [[player.id]] else None

    return await player.until(look)


async def until(player: Player, message: Json, words: str) -> Json:
    """The message once it says `words`."""
    return await once(player, message, lambda now: words in text_of(now))


async def gone(player: Player, message: Json) -> None:
    """Wait until a message is deleted."""
    await found_in(player, lambda seen: message["id"] not in {it["id"] for it in seen} or None)


async def answered(player: Player, command: str, **options: object) -> Json:
    """The answer to a command, which only this member sees, once it is there."""
    return await answer_saying(player, "", command, **options)


async def answer_saying(player: Player, words: str, command: str, **options: object) -> Json:
    """The answer to a command, which only this member sees, once it is there and says `words`."""
    answer = await player.command(command, None, **options)
    message = await once(
        player, answer["message"], lambda now: now["state"] == "sent" and words in text_of(now)
    )
    assert message["ephemeral_for"] == player.id
    return message


async def direct(player: Player) -> list[Json]:
    """The bot's direct messages to a member."""
    return await player.messages((await player.post("direct"))["id"])


async def written(player: Player, count: int) -> list[Json]:
    """The bot's direct messages to a member, once there are so many."""
    channel = (await player.post("direct"))["id"]
    return await found_in(player, lambda seen: seen if len(seen) >= count else None, channel)


async def only_written(player: Player, count: int) -> list[Json]:
    """The bot's direct messages to a member, once there are exactly so many."""
    channel = (await player.post("direct"))["id"]
    return await found_in(player, lambda seen: seen if len(seen) == count else None, channel)


async def files(player: Player, message: Json) -> dict[str, bytes]:
    """The files of a message, by name."""
    return {one["filename"]: await player.fetch(one["url"]) for one in message["attachments"]}


# --- using what stands on a message

ANSWERED = ("update", "message")
"""The outcomes of a use that the bot has answered."""


async def press(player: Player, message: Json, label: str) -> None:
    """Press the button with this label on a message as it is now."""
    seen = await player.get(f"messages/{message['id']}")
    answer = await player.press(seen, buttons(seen)[label])
    assert answer["outcome"] in ANSWERED, answer


def planted(local: Sandbox, player: Player, content: str, *rows: Json) -> Json:
    """Return a new message of the bot's in the channel of a player."""
    world, messages = local.world, local.services.messages
    with world.store.transaction():
        draft = messages.draft_reader(player.channel).read({"content": content, "components": list(rows)})
        return world.member_view(messages.send(world.channels[player.channel], world.bot, draft))


async def press_late(local: Sandbox, player: Player, custom_id: str) -> None:
    """Press a button that its message has no longer, as clients do that have not received the edit yet.

    The button stands on a message of its own.
    """
    button = {"type": 2, "style": 2, "label": "late", "custom_id": custom_id}
    message = planted(local, player, "late", {"type": 1, "components": [button]})
    assert (await player.press(message, custom_id))["outcome"] in ANSWERED


async def shown_to_all(player: Player, message: Json) -> Json:
    """Show a private answer to the channel; the message that everybody there then sees."""
    there = {one["id"] for one in await player.messages()}
    await press(player, message, "Show to the channel")

    def find(seen: list[Json]) -> Json | None:
        # Meanwhile the player may be told alone how far a film is drawn.
        new = (one for one in seen if one["id"] not in there and one["ephemeral_for"] is None)
        return next((one for one in new if text_of(one)), None)

    posted = await found_in(player, find)
    assert text_of(posted).endswith(f"\n-# Shown by <@{player.id}>")
    assert pinged(posted) == []
    return posted


async def choose(player: Player, message: Json, custom_id: str, *values: str) -> Json:
    """Choose in a message that is redrawn in place, and wait until it shows the choice; the message then."""
    assert (await player.choose(message, custom_id, *values))["outcome"] == "update"
    return await once(player, message, lambda now: set(chosen(now, custom_id)) == set(values))


async def open_preferences(player: Player, page: str = "Notifications") -> Json:
    return await _page(player, await answered(player, "preferences"), page)


async def open_data(player: Player) -> Json:
    """A private message about the stored data of a member, with buttons to export and to delete it."""
    await press(player, await open_preferences(player), "Your data…")
    return await told(player, "What Pencilbox keeps about you")


async def open_settings(player: Player, page: str = "Games") -> Json:
    return await _page(player, await answered(player, "settings"), page)


async def _page(player: Player, message: Json, page: str) -> Json:
    """Turn a message with pages to the page of this label; the message then."""
    if page not in usable_buttons(message):
        return message
    await press(player, message, page)
    return await once(player, message, lambda now: page not in usable_buttons(now))
