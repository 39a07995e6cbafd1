"""A bot without a library, which speaks the gateway and the REST API frame by frame."""

import asyncio
import io
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from bot.sandbox import Sandbox

Json = dict[str, Any]
PATIENCE = 30.0
"""Seconds after which a hanging server fails the test."""
ALL_INTENTS = (1 << 26) - 1
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d"
    "0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)
"""A picture of 3 x 2 pixels."""


class RawBot:
    """The connection of an application, and its calls. `seen` holds all events so far."""

    def __init__(self, session: aiohttp.ClientSession, local: Sandbox) -> None:
        self.session = session
        self.local = local
        self.application: str = local.world.application["id"]
        self.guild: str = local.world.guild["id"]
        self.general: str = local.channel("general")["id"]
        self.seq: int | None = None
        self.ready: Json = {}
        self.seen: list[Json] = []
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._inflate: Any = None

    # --- the gateway

    async def open(self, *, compress: str | None = None, query: str = "v=10&encoding=json") -> Json:
        """Connect; return the HELLO."""
        self._inflate = zlib.decompressobj() if compress == "zlib-stream" else None
        address = f"{self.local.gateway}/?{query}" + (f"&compress={compress}" if compress else "")
        self._socket = await self.session.ws_connect(address)
        return await self.receive()

    async def identify(self, intents: int = ALL_INTENTS, token: str = "any", **more: Any) -> Json:
        """Log in; return the GUILD_CREATE."""
        await self.send(2, {"token": token, "intents": intents, "properties": {}, **more})
        self.ready = await self.event("READY")
        return await self.event("GUILD_CREATE")

    async def resume(self, seq: int | None = None) -> None:
        wanted = self.seq if seq is None else seq
        await self.send(6, {"token": "any", "session_id": self.ready["session_id"], "seq": wanted})

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_str(json.dumps({"op": op, "d": data}))

    @property
    def socket(self) -> aiohttp.ClientWebSocketResponse:
        assert self._socket is not None
        return self._socket

    async def receive(self) -> Json:
        """Return the next frame. Raises ConnectionError with the close code when the connection is over."""
        message = await self.socket.receive(timeout=PATIENCE)
        if message.type is aiohttp.WSMsgType.BINARY:
            payload: Json = json.loads(self._inflate.decompress(message.data))
        elif message.type is aiohttp.WSMsgType.TEXT:
            payload = json.loads(message.data)
        else:
            raise ConnectionError(self.socket.close_code)
        if payload["op"] == 0:
            self.seq = payload["s"]
            self.seen.append(payload)
        return payload

    async def event(self, name: str) -> Json:
        """Return the data of the next event of this name."""
        while True:
            payload = await self.receive()
            if payload["t"] == name:
                data: Json = payload["d"]
                return data

    async def closed(self) -> int | None:
        """Wait for the end of the connection; return its close code."""
        while True:
            try:
                await self.receive()
            except ConnectionError:
                return self.socket.close_code

    @asynccontextmanager
    async def page_of(self, member: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Open the events socket of the page for this member."""
        async with self.session.ws_connect(f"{self.local.url}/local/events?as={member}") as socket:
            yield socket

    async def close(self, code: int = 1000) -> None:
        await self.socket.close(code=code)

    # --- REST

    async def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        files: Sequence[tuple[str, bytes]] = (),
        token: str = "any",
    ) -> tuple[int, Any]:
        """Return the status and the JSON of the answer, or None if it has no body."""
        data: Any = None
        headers = {"Authorization": f"Bot {token}"} if token else {}
        if files:
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body), content_type="application/json")
            for place, (name, content) in enumerate(files):
                data.add_field(
                    f"files[{place}]", io.BytesIO(content), filename=name, content_type="image/png"
                )
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        address = f"{self.local.url}/api/v10{path}"
        async with self.session.request(method, address, data=data, headers=headers) as response:
            raw = await response.read()
            return response.status, json.loads(raw) if raw else None

    async def register(self, *commands: Json) -> list[Json]:
        status, made = await self.call("PUT", f"/applications/{self.application}/commands", list(commands))
        assert status == 200, made
        found: list[Json] = made
        return found

    async def post(
        self, body: Json, files: Sequence[tuple[str, bytes]] = (), channel: str | None = None
    ) -> Json:
        """Send a message that must be accepted; return it."""
        status, made = await self.call("POST", f"/channels/{channel or self.general}/messages", body, files)
        assert status == 200, made
        found: Json = made
        return found

    async def asked(self) -> Json:
        """Return the next interaction."""
        return await self.event("INTERACTION_CREATE")

    async def answer(
        self, interaction: Json, kind: int, data: Json | None = None, files: Sequence[tuple[str, bytes]] = ()
    ) -> tuple[int, Any]:
        body: Json = {"type": kind} | ({} if data is None else {"data": data})
        path = f"/interactions/{interaction['id']}/{interaction['token']}/callback?with_response=true"
        return await self.call("POST", path, body, files, token="")

    async def hook(self, method: str, interaction: Json, path: str = "", body: Any = None) -> tuple[int, Any]:
        """Call the API by the interaction's token. `path` follows the token, such as "/messages/@original"."""
        address = f"/webhooks/{self.application}/{interaction['token']}{path}"
        return await self.call(method, address, body, token="")


@asynccontextmanager
async def raw_bot(local: Sandbox) -> AsyncIterator[RawBot]:
    async with aiohttp.ClientSession() as session:
        yield RawBot(session, local)


async def together(*waiting: Any) -> list[Any]:
    """Wait for all at the same time, with a time limit."""
    return list(await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE))


async def asked(raw: RawBot, doing: Awaitable[Json]) -> tuple[Json, "asyncio.Task[Json]"]:
    """Return the interaction that a member starts, and the task in which the member waits."""
    waiting = asyncio.ensure_future(doing)
    return await raw.asked(), waiting


async def answered(
    raw: RawBot, doing: Awaitable[Json], kind: int, data: Json | None = None
) -> tuple[Json, Json, Json]:
    """Answer an interaction; return it, the callback's response, and the member's outcome."""
    interaction, waiting = await asked(raw, doing)
    status, made = await raw.answer(interaction, kind, data)
    assert status == 200, made
    return interaction, made, await waiting
