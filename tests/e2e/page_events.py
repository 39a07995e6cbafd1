"""The events of one member's page, word for word: they must not depend on moves that others have hidden."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256

import aiohttp

from tests.contract.player import Player
from tests.waiting import PATIENCE

_ID = re.compile(r"[0-9]{17,20}")
_NONCE = re.compile(r'(?<="nonce": ")[0-9]+')
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z]+|<t:[0-9]+")
_SALTED = re.compile(r"(?<=`)(?:[0-9a-f]{16}|[0-9a-f]{64})(?=`)")
_HOST = re.compile(r"http://127[.]0[.]0[.]1:[0-9]+")
_FILE = re.compile(r"http://127[.]0[.]0[.]1:[0-9]+/attachments/[^\\\"?]+")


class PageEvents:
    """The events that one member's page receives, in order."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.frames: list[str] = []
        self._fresh = asyncio.Event()

    async def listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket:
            self.frames.append(str(frame.data))
            self._fresh.set()

    async def so_far(self) -> list[str]:
        """All events so far, with their files. Ids are numbered by their first appearance; times, addresses, nonces,
        salts and hashes are left out, since they differ from run to run."""
        await self._settled()
        known: dict[str, str] = {}
        told = []
        addresses = {address for frame in self.frames for address in _FILE.findall(frame)}
        contents = {address: await self._file(address) for address in addresses}
        for frame in self.frames:
            files = [contents[address] for address in _FILE.findall(frame)]
            # discord.py draws the nonces by chance, now and then one that is too short for an id.
            frame = _NONCE.sub("nonce", frame)
            text = _SALTED.sub("salted", _TIME.sub("time", _HOST.sub("here", frame)))
            text = _ID.sub(lambda found: known.setdefault(found[0], f"id{len(known)}"), text)
            told.append(json.dumps([text, files]))
        return told

    async def _file(self, address: str) -> str:
        """A hash of a file; "gone" if its message has lost it since."""
        try:
            return sha256(await self.player.fetch(address)).hexdigest()
        except aiohttp.ClientResponseError as error:
            if error.status != 404:
                raise
            return "gone"

    async def calls(self) -> list[str]:
        """The ids of the messages that have called this member, one for every call."""
        await self._settled()
        events = [json.loads(frame) for frame in self.frames]
        return [event["message"] for event in events if event["type"] == "ping"]

    async def forget(self) -> None:
        """Drop all events so far."""
        await self._settled()
        self.frames.clear()

    async def received(self, words: str) -> None:
        """Wait until an event has contained these words, even if its message is deleted by now."""
        async with asyncio.timeout(PATIENCE):
            while not any(words in frame for frame in self.frames):
                self._fresh.clear()
                await self._fresh.wait()

    async def _settled(self) -> None:
        """Wait until a message that is sent now has arrived: all earlier events have arrived before it."""
        await self.received((await self.player.say("mark"))["id"])


@asynccontextmanager
async def listening(url: str, *members: Player) -> AsyncIterator[list[PageEvents]]:
    """The events of each of these members' pages."""
    async with contextlib.AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession(url))
        found = []
        for player in members:
            socket = await stack.enter_async_context(
                session.ws_connect("/local/events", params={"as": player.id})
            )
            found.append(PageEvents(player))
            listening = asyncio.create_task(found[-1].listen(socket))
            stack.callback(listening.cancel)
        yield found
