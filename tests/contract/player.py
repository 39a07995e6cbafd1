"""A member of the local Discord who acts through its JSON calls (bot/sandbox/README.md)."""

import io
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from copy import copy
from typing import Any, TypeVar

import aiohttp

from bot.sandbox.world.world import World
from tests.contract.changes import Changes

Json = dict[str, Any]
T = TypeVar("T")
_PATIENCE = aiohttp.ClientTimeout(total=20)  # seconds; only so that a hanging server fails the test


class Refused(AssertionError):
    """The local Discord refused an action of a member; the text is its reason."""


class Player:
    """A member who acts in the first text channel of the server."""

    def __init__(
        self, session: aiohttp.ClientSession, member: Json, channel: str, changes: Changes | None = None
    ) -> None:
        self._session = session
        self._changes = changes or Changes()
        self.id: str = member["id"]
        self.name: str = member["global_name"] or member["username"]
        self.channel = channel

    def elsewhere(self, channel: str) -> "Player":
        """Return the same member, acting in another channel or thread."""
        there = copy(self)
        there.channel = channel
        return there

    async def until(self, read: Callable[[], Awaitable[T | None]]) -> T:
        """Return the first result of `read` that is not None. It is called again after every change."""
        return await self._changes.until(read)

    async def get(self, path: str, **query: str) -> Any:
        async with self._session.get(f"/local/{path}", params={"as": self.id, **query}) as response:
            return await _answer(response)

    async def post(self, path: str, **body: object) -> Any:
        async with self._session.post(f"/local/{path}", json={"as": self.id, **body}) as response:
            return await _answer(response)

    async def fetch(self, address: str) -> bytes:
        """Return a file by its address, as the page loads it."""
        async with self._session.get(address) as response:
            response.raise_for_status()
            return await response.read()

    async def command(self, name: str, subcommand: str | None = None, **options: object) -> Json:
        """Use a slash command and return the outcome, with its message or modal."""
        return await self._command("command", name, options, subcommand=subcommand)

    async def menu(self, name: str, target: str, kind: int) -> Json:
        """Use a command of the menu of a user (kind 2) or of a message (kind 3)."""
        return await self._command("command", name, {}, target=target, type=kind)

    async def autocomplete(
        self, name: str, focused: str, subcommand: str | None = None, **options: object
    ) -> Json:
        return await self._command("autocomplete", name, options, focused=focused, subcommand=subcommand)

    async def press(self, message: Json, custom_id: str) -> Json:
        return await self._do("press", message=message["id"], custom_id=custom_id)

    async def choose(self, message: Json, custom_id: str, *values: str) -> Json:
        return await self._do("choose", message=message["id"], custom_id=custom_id, values=list(values))

    async def submit(self, opened: Json, **fields: object) -> Json:
        """Fill in and send the modal that an earlier answer opened."""
        custom_id = opened["modal"]["custom_id"]
        return await self._do("submit", interaction=opened["interaction"], custom_id=custom_id, fields=fields)

    async def upload(self, name: str, data: bytes) -> str:
        """Upload a file and return its id, which an option of a command takes."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("file", io.BytesIO(data), filename=name)
        attachment = await self.post_form("upload", form)
        id_: str = attachment["id"]
        return id_

    async def post_form(self, path: str, form: aiohttp.FormData) -> Any:
        async with self._session.post(f"/local/{path}", params={"as": self.id}, data=form) as response:
            return await _answer(response)

    async def say(self, content: str) -> Json:
        message: Json = await self.post("message", channel=self.channel, content=content)
        return message

    async def messages(self, channel: str | None = None) -> list[Json]:
        """Return the messages that this member sees in a channel, oldest first."""
        found: list[Json] = await self.get(f"channels/{channel or self.channel}/messages")
        return found

    async def _command(self, call: str, name: str, options: Json, **more: object) -> Json:
        given = {key: value for key, value in more.items() if value is not None}
        return await self._do(call, channel=self.channel, name=name, options=options, **given)

    async def _do(self, call: str, **body: object) -> Json:
        answer: Json = await self.post(call, **body)
        return answer


@asynccontextmanager
async def players(url: str, world: World | None = None) -> AsyncIterator[list[Player]]:
    """Yield all members of the local Discord at an address, without bots.

    If the local Discord runs in this process, `world` publishes its changes to them.
    """
    changes = Changes(world)
    async with aiohttp.ClientSession(url, timeout=_PATIENCE) as session:
        async with session.get("/local/state") as response:
            state = await _answer(response)
        channel = next(channel["id"] for channel in state["channels"] if channel["type"] == 0)
        yield [
            Player(session, member, channel, changes) for member in state["members"] if not member.get("bot")
        ]


@asynccontextmanager
async def players_by_server(url: str, world: World | None = None) -> AsyncIterator[list[list[Player]]]:
    """Yield the members of each server of the local Discord, each in the first channel of the server."""
    changes = Changes(world)
    async with aiohttp.ClientSession(url, timeout=_PATIENCE) as session:
        async with session.get("/local/servers") as response:
            servers = await _answer(response)
        yield [
            [Player(session, member, server["channels"][0]["id"], changes) for member in server["members"]]
            for server in servers
        ]


async def _answer(response: aiohttp.ClientResponse) -> Any:
    answer = await response.json()
    if response.status >= 400:
        raise Refused(f"{response.method} {response.url.path}: {answer['error']}")
    return answer
