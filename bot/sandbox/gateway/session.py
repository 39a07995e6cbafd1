"""A bot's session at the gateway, its connections, and the limits of new sessions."""

import asyncio
import json
import zlib
from collections import deque
from typing import Any, Protocol

from aiohttp import web

from bot.sandbox.json_types import Object
from bot.sandbox.world.clock import Clock


class Packer(Protocol):
    def pack(self, text: str) -> str | bytes: ...


class Plain:
    """A packer of text frames without compression."""

    def pack(self, text: str) -> str:
        return text


class ZlibStream:
    """A packer with one zlib stream for the whole connection, flushed after every message."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def pack(self, text: str) -> bytes:
        return self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """A packer with one zstd frame (RFC 8878) of uncompressed blocks for the whole connection.

    Every zstd reader accepts the frame, and writing it needs no zstd package.
    """

    _FRAME = bytes.fromhex("28b52ffd 00 38")
    """The magic number, and the header of a frame without checksum and length and with a window of 128 KiB."""
    _BLOCK = 128 * 1024

    def __init__(self) -> None:
        self._head = self._FRAME

    def pack(self, text: str) -> bytes:
        data = text.encode()
        head, self._head = self._head, b""
        blocks = (data[start : start + self._BLOCK] for start in range(0, len(data), self._BLOCK))
        return head + b"".join((len(block) << 3).to_bytes(3, "little") + block for block in blocks)


def packer(name: str | None) -> Packer:
    """Return the packer for the query's `compress`."""
    match name:
        case "zlib-stream":
            return ZlibStream()
        case "zstd-stream":
            return ZstdStream()
    return Plain()


DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT = 0, 1, 2, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACK = 8, 9, 10, 11
REPLAYED = 2_000
"""Number of recent events that a session keeps for a RESUME."""
MOST_PAYLOADS, A_MINUTE = 120, 60.0
"""Number of payloads that a bot may send over one connection in a minute."""


def shard_of(guild_id: str | None, shards: int) -> int:
    """Return the shard that gets the events of a server, or of direct messages if `guild_id` is None."""
    return 0 if guild_id is None else (int(guild_id) >> 22) % shards


class Connection:
    """A WebSocket of a bot. Messages are sent in order, and sending never waits."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse, packer: Packer) -> None:
        self._request = request
        self._socket = socket
        self._packer = packer
        self._received: deque[float] = deque(maxlen=MOST_PAYLOADS)
        self._out: asyncio.Queue[str | tuple[int, str]] = asyncio.Queue()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.session: Session | None = None
        """The session of this connection, or None until the bot has logged in."""
        self.closed_here = False
        """True after the server has closed the connection, so that the bot's close frame does not end its session."""

    def too_many(self, now: float) -> bool:
        """Count a payload that arrives `now`, in seconds since 1970. Return whether it exceeds the limit."""
        full = len(self._received) == MOST_PAYLOADS and now - self._received[0] < A_MINUTE
        self._received.append(now)
        return full

    def send(self, text: str) -> None:
        self._out.put_nowait(text)

    def send_op(self, op: int, data: Any) -> None:
        self.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def close(self, code: int, reason: str) -> None:
        """Close the connection after all queued messages have been sent."""
        self.closed_here = True
        self._out.put_nowait((code, reason))

    def hold(self) -> None:
        """Stop sending until `release` is called."""
        self._flowing.clear()

    def release(self) -> None:
        """Continue sending, with everything that was held back."""
        self._flowing.set()

    def cut(self) -> None:
        """Break the connection without a close frame, as a failing network does."""
        if self._request.transport is not None:
            self._request.transport.abort()

    async def write(self) -> None:
        """Write queued messages until the connection is closed."""
        while True:
            message = await self._out.get()
            await self._flowing.wait()
            match message:
                case str(text):
                    packed = self._packer.pack(text)
                    if isinstance(packed, str):
                        await self._socket.send_str(packed)
                    else:
                        await self._socket.send_bytes(packed)
                case (int(code), str(reason)):
                    await self._socket.close(code=code, message=reason.encode())
                    return


class Session:
    """The state that a RESUME continues: the recent events, including those without a connection."""

    def __init__(self, id_: str, intents: int, shard: int = 0, shards: int = 1) -> None:
        self.id = id_
        self.intents = intents
        self.shard = shard
        self.shards = shards
        """The number of this session's shard and the number of all shards, as sent by the bot."""
        self.connection: Connection | None = None
        self.lost: float | None = None
        """The time when the last connection broke, in seconds since 1970, or None while there is one."""
        self.seq = 0
        self._log: deque[tuple[int, str]] = deque(maxlen=REPLAYED)

    def serves(self, guild_id: str | None) -> bool:
        """Return whether this session gets the events of a server, or of direct messages if `guild_id` is None."""
        return shard_of(guild_id, self.shards) == self.shard

    def take(self, connection: Connection) -> None:
        """Use this connection from now on."""
        self.connection, self.lost = connection, None
        connection.session = self

    def dispatch(self, name: str, data: Object) -> None:
        self.seq += 1
        text = json.dumps({"op": DISPATCH, "d": data, "s": self.seq, "t": name})
        self._log.append((self.seq, text))
        if self.connection is not None:
            self.connection.send(text)

    def can_replay(self, after: int) -> bool:
        """Return whether the session still has every event after this one."""
        return after >= self.seq or (bool(self._log) and self._log[0][0] <= after + 1)

    def replay(self, after: int) -> None:
        if self.connection is not None:
            for seq, text in self._log:
                if seq > after:
                    self.connection.send(text)


A_DAY = 24 * 60 * 60.0
TOTAL = 1_000
"""Number of sessions that a small bot may start in a day. Another session invalidates the token."""
PAUSE = 5.0
"""Seconds between two sessions whose shards are equal modulo `max_concurrency`."""


class Starts:
    """The limits of new sessions. `concurrency` is Discord's `max_concurrency`; None allows any number at once."""

    def __init__(self, clock: Clock, concurrency: int | None) -> None:
        self._clock = clock
        self._concurrency = concurrency
        self.total = TOTAL
        self._begun: deque[float] = deque()
        self._last: dict[int, float] = {}

    def limit(self) -> Object:
        """Return Discord's object `session_start_limit`."""
        now = self._clock.time()
        while self._begun and self._begun[0] <= now - A_DAY:
            self._begun.popleft()
        reset = int((self._begun[0] + A_DAY - now) * 1000) if self._begun else 0
        return {
            "total": self.total,
            "remaining": max(0, self.total - len(self._begun)),
            "reset_after": reset,
            "max_concurrency": self._concurrency or 1,
        }

    @property
    def used_up(self) -> bool:
        """Return True if another session today would invalidate the token."""
        return bool(self.limit()["remaining"] == 0)

    def may_begin(self, shard: int) -> bool:
        """Count a new session of this shard. Return False, without counting, if it is too soon after another."""
        now = self._clock.time()
        if self._concurrency is not None:
            turn = shard % self._concurrency
            if now - self._last.get(turn, -PAUSE) < PAUSE:
                return False
            self._last[turn] = now
        self._begun.append(now)
        return True
