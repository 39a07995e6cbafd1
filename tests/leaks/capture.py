"""Everything that a bot sends: requests, frames of the gateway, messages as Discord has them, and their files."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from bot.sandbox import Sandbox
from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.rest.wire import Exchange
from bot.sandbox.world import objects
from bot.sandbox.world.events import Event, MessageEdited, MessageSent
from db.values.places import Place
from tests.leaks.files import readable

IDENTIFY, RESUME = 2, 6
READABLE = re.compile(r'(?<=data-name=")[^"]+|(?<=>)[^<>]+(?=</text>)')


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the bot's as it was sent or changed, with the readable parts of its files.

    `guild` is None in direct messages; `only` is the one member who sees it, None if it is public.
    """

    at: int
    guild: str | None
    channel: str
    only: str | None
    text: str


@dataclass
class Captured:
    """Everything that has left the bot so far. `at` counts what was captured, so that a while can be searched."""

    messages: list[Sent] = field(default_factory=list)
    requests: list[tuple[int, str]] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    files: int = 0
    to_pages: int = 0
    """The messages that went to pages of the Activity."""
    size: int = 0
    """Bytes in all."""
    wrong: list[str] = field(default_factory=list)
    """Parts of pictures that have no place there."""
    at: int = 0

    def request(self, exchange: Exchange) -> None:
        """Take a request. The token stands in the header that Discord asks for, and is left out there alone."""
        headers = {name: value for name, value in exchange.request_headers.items() if name != "Authorization"}
        text = (
            f"{exchange.method} {exchange.path} {dict(exchange.query)} {headers} {exchange.files} "
            + json.dumps(exchange.request_json, ensure_ascii=False)
        )
        self._add(text)
        self.requests.append((self.at, text))

    def frame(self, payload: dict[str, Any]) -> None:
        """Take a frame of the gateway. Two kinds of them log in by the token."""
        data = payload.get("d")
        if payload.get("op") in (IDENTIFY, RESUME) and isinstance(data, dict):
            data = {name: value for name, value in data.items() if name != "token"}
        text = json.dumps([payload.get("op"), data], ensure_ascii=False)
        self._add(text)
        self.frames.append(text)

    def message(self, local: Sandbox, event: Event) -> None:
        """Take a message of the bot's."""
        world = local.world
        if not isinstance(event, MessageSent | MessageEdited) or event.message.author_id != world.bot["id"]:
            return
        message = event.message
        parts = [json.dumps(message.body, ensure_ascii=False)]
        for file in message.files:
            data = world.store.file(file["id"])
            if data is None:
                continue
            self.files += 1
            self.size += len(data)
            try:
                parts.append(readable(data))
            except AssertionError as found:
                self.wrong.append(f"{file['filename']}: {found}")
        text = "\n".join(parts)
        self._add(text)
        channel, only = world.channels[message.channel_id], message.ephemeral_for
        if objects.context(channel) == objects.WITH_BOT:
            only = channel["recipients"][0]["id"]
        self.messages.append(Sent(self.at, channel.get("guild_id"), message.channel_id, only, text))

    def page(self, place: Place, user: str, message: dict[str, Any]) -> None:
        """Take a message to the page of a member. Of its picture the names and texts are readable."""
        picture = " ".join(READABLE.findall(message.get("svg", "")))
        text = json.dumps(message | {"svg": picture}, ensure_ascii=False)
        self._add(text)
        guild = None if place.guild is None else str(place.guild)
        self.messages.append(Sent(self.at, guild, str(place.channel), user, text))
        self.to_pages += 1

    def _add(self, text: str) -> None:
        self.at += 1
        self.size += len(text.encode(errors="replace"))


@contextmanager
def capturing(local: Sandbox, captured: Captured) -> Iterator[None]:
    """Capture the frames and the messages of a running local Discord; its requests come by `observe`."""
    take = Gateway._take

    def noting(self: Gateway, payload: dict[str, Any], connection: Any) -> None:
        captured.frame(payload)
        take(self, payload, connection)

    local.world.listen(lambda event: captured.message(local, event))
    with patch.object(Gateway, "_take", noting):
        yield
