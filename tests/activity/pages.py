"""Pages of the Activity without a browser: the sockets of members, whose sessions are signed here."""

import asyncio
import gzip
import json
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from bot.activity.sessions import Session, Sessions
from bot.sandbox import Sandbox
from db.values.places import Place
from tests.contract.player import Player, players
from tests.e2e.bot_process import BotProcess, bot_at

Observer = Callable[[dict[str, Any]], None]
SECRET = "0123456789abcdef"
BROWSER = 15
"""The window bits of the compression that browsers offer."""


def read(data: str | bytes) -> Any:
    """Return a message of the server."""
    return json.loads(data if isinstance(data, str) else gzip.decompress(data))


class Pages:
    """The pages of one bot, which serves them on a port of its own."""

    def __init__(self, local: Sandbox) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._address = f"http://127.0.0.1:{self._port}"
        self._application = local.world.application["id"]
        channel = local.world.channels_of(local.world.guild["id"])[0]
        self._place = Place(int(local.world.guild["id"]), int(channel["id"]))
        local.enable_activities(self._address, SECRET)

    @property
    def settings(self) -> dict[str, str]:
        """The settings of a bot that serves these pages."""
        return {
            "PENCILBOX_ACTIVITY_CLIENT_ID": self._application,
            "PENCILBOX_ACTIVITY_CLIENT_SECRET": SECRET,
            "PENCILBOX_ACTIVITY_URL": "https://activity.example.org",
            "PENCILBOX_ACTIVITY_PORT": str(self._port),
        }

    def session(self, user: int, place: Place | None = None) -> str:
        """Return a session of a member, by default in the first channel."""
        return Sessions(SECRET).sign(Session(user, "A member", place or self._place), datetime.now(UTC))

    @asynccontextmanager
    async def page(
        self, user: int, place: Place | None = None, observe: Observer = lambda _: None
    ) -> AsyncIterator["Page"]:
        """Open the page of a member, by default in the first channel. It connects again as long as it is open.

        `observe` is called with each message that arrives.
        """
        session = self.session(user, place)
        async with aiohttp.ClientSession(self._address) as http:
            page = Page(http, session, observe)
            running = asyncio.create_task(page.run())
            try:
                yield page
            finally:
                running.cancel()
                with suppress(asyncio.CancelledError):
                    await running


class Served(NamedTuple):
    """A local Discord with two of its members, and a bot that serves their pages."""

    url: str
    pages: Pages
    bot: BotProcess
    ada: Player
    grace: Player


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Served]:
    """Start a local Discord, and a bot that keeps its data in a folder."""
    async with Sandbox() as local, players(local.url, local.world) as (ada, grace, *_):
        pages = Pages(local)
        async with bot_at(local.url, folder, **pages.settings) as bot:
            yield Served(local.url, pages, bot, ada, grace)


class Page:
    """A page that is open. `board` is what it shows."""

    def __init__(self, http: aiohttp.ClientSession, session: str, observe: Observer) -> None:
        self._http, self._session, self._observe = http, session, observe
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._arrived = asyncio.Event()
        self.board: dict[str, Any] | None = None
        self.counts: Counter[str] = Counter()
        """By type: the messages that have arrived; and the connections that were `lost`."""
        self.refused: list[str] = []
        self.backwards = 0
        """Boards that were older than the one before."""

    async def run(self) -> None:
        """Receive messages, and connect again when the connection is lost, like the page in a browser."""
        while True:
            with suppress(aiohttp.ClientError, OSError):
                async with self._http.ws_connect(
                    "/api/socket", compress=BROWSER, max_msg_size=0
                ) as self._socket:
                    match = None if self.board is None else self.board["match"]
                    begin = {"type": "begin", "session": self._session, "match": match, "packed": True}
                    await self._socket.send_json(begin)
                    async for message in self._socket:
                        self._receive(read(message.data))
            self.counts["lost"] += 1
            await asyncio.sleep(0.1)

    def _receive(self, message: dict[str, Any]) -> None:
        self._observe(message)
        self.counts[message["type"]] += 1
        if message["type"] == "board":
            if self.board is not None and self.board["match"] == message["match"]:
                self.backwards += message["ply"] < self.board["ply"]
            self.board = message
        elif message["type"] == "refused":
            self.refused.append(message["sentence"])
        self._arrived.set()

    async def send(self, **message: Any) -> None:
        """Send a message; nothing if the connection is lost, like the page."""
        if self._socket is not None and not self._socket.closed:
            with suppress(aiohttp.ClientError, OSError):
                await self._socket.send_json(message)

    def drop(self) -> None:
        """Lose the connection without a closing message."""
        if self._socket is not None and (
            transport := self._socket._conn.transport if self._socket._conn else None
        ):
            transport.abort()

    async def arrived(self, seconds: float = 60.0) -> None:
        """Wait for the next message."""
        self._arrived.clear()
        async with asyncio.timeout(seconds):
            await self._arrived.wait()

    async def changed(self, seconds: float = 2.0) -> None:
        """Wait for the next message, for some seconds at most: it may be lost."""
        with suppress(TimeoutError):
            await self.arrived(seconds)

    async def shows(self, match: int, ply: int = 0) -> dict[str, Any]:
        """Wait until the page shows a match with so many plies or more, and return the board."""
        while self.board is None or self.board["match"] != match or self.board["ply"] < ply:
            await self.arrived()
        return self.board
