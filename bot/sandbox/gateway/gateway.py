"""Discord's gateway: HELLO, IDENTIFY, RESUME, heartbeats, and disturbances for tests."""

import asyncio
import contextlib
import json
import secrets
from typing import Any

from aiohttp import WSMsgType, web

from bot.sandbox.gateway import payloads
from bot.sandbox.gateway.dispatch import GUILDS, PRIVILEGED, Dispatcher
from bot.sandbox.gateway.session import (
    ACK,
    HEARTBEAT,
    HELLO,
    IDENTIFY,
    INVALID_SESSION,
    RECONNECT,
    REQUEST_MEMBERS,
    RESUME,
    Connection,
    Session,
    Starts,
    packer,
)
from bot.sandbox.json_types import Object
from bot.sandbox.world.events import ApplicationChanged
from bot.sandbox.world.world import World

SESSION_KEPT = 300.0
"""Seconds for which a session without a connection may be resumed."""
REACHABLE = 5.0
"""Seconds for which a bot without a connection is expected to reconnect."""
ACK_DELAY = 0.02
"""Seconds before a heartbeat is acknowledged, like the delay of a network."""
IGNORED = (3, 4, 31, 43)
"""Opcodes for presence, voice and soundboard, which are accepted and ignored."""


class CloseConnection(Exception):
    """The connection must be closed with this close code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Gateway:
    """The WebSocket server for bots.

    `token` is the only token that can log in; if it is None, any non-empty token can. `heartbeat` is in seconds.
    `privileged` is True if the application may use the privileged intents. `shards` is the recommended number of
    shards. `most_guilds` is the largest number of servers of a session.
    """

    def __init__(
        self, world: World, *, max_concurrency: int | None, token: str | None, heartbeat: float, privileged: bool,
        shards: int, most_guilds: int,
    ) -> None:  # fmt: skip
        self._world = world
        self._token = token
        self._heartbeat = heartbeat
        self._privileged = privileged
        self._most_guilds = most_guilds
        self._token_ended = False
        self.starts = Starts(world.clock, max_concurrency)
        self.shards = shards
        self.unavailable = False
        """True while every new connection is refused with status 503."""
        self._sessions: dict[str, Session] = {}
        self._dispatcher = Dispatcher(world, self._sessions)

    # --- state and disturbances

    @property
    def online(self) -> bool:
        return any(session.connection for session in self._sessions.values())

    @property
    def connected(self) -> list[int]:
        """The shards of all connected sessions. A shard is repeated for each of its sessions."""
        return [session.shard for session in self._sessions.values() if session.connection is not None]

    def reachable(self, guild_id: str | None) -> bool:
        """Return whether a bot gets the events of this server, or of direct messages if `guild_id` is None.

        A bot that has just lost its connection is included, because it may be about to resume.
        """
        since = self._world.clock.time() - REACHABLE
        return any(
            (one.lost is None or one.lost > since) and one.serves(guild_id) for one in self._sessions.values()
        )

    def may_log_in(self, token: str) -> bool:
        token = token.removeprefix("Bot ").strip()
        return bool(token) and self._token in (None, token) and not self._token_ended

    def _end_token(self) -> None:
        """Invalidate the token, as Discord does after the last session of a day."""
        self._token_ended = True
        self.close(4004, "Authentication failed")

    def drop(self) -> None:
        """Cut every bot's connection without a close frame."""
        for connection in self._connections():
            connection.cut()

    def hold(self) -> None:
        """Stop sending on all current connections, including events and acknowledgements of heartbeats."""
        for connection in self._connections():
            connection.hold()

    def release(self) -> None:
        """Send everything that was held back on connections that still exist."""
        for connection in self._connections():
            connection.release()

    def close(self, code: int = 4000, reason: str = "") -> None:
        """Close every bot's connection with this code."""
        for connection in self._connections():
            connection.close(code, reason)

    def reconnect(self) -> None:
        """Ask every bot to reconnect and resume (op 7)."""
        for connection in self._connections():
            connection.send_op(RECONNECT, None)

    def invalidate(self, *, resumable: bool) -> None:
        """Invalidate the sessions of all bots (op 9)."""
        for session in list(self._sessions.values()):
            if session.connection is not None:
                session.connection.send_op(INVALID_SESSION, resumable)
            if not resumable:
                self._end(session)

    def _connections(self) -> list[Connection]:
        return [one.connection for one in self._sessions.values() if one.connection is not None]

    # --- one connection

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        if self.unavailable:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=1 << 20, autoping=True)
        await socket.prepare(request)
        connection = Connection(request, socket, packer(request.query.get("compress")))
        writer = asyncio.create_task(connection.write())
        try:
            if request.query.get("v", "10") != "10" or request.query.get("encoding", "json") != "json":
                raise CloseConnection(
                    4012, "Invalid API version or encoding; v=10 and encoding=json are spoken here"
                )
            connection.send_op(HELLO, {"heartbeat_interval": int(self._heartbeat * 1000)})
            await self._listen(socket, connection)
        except CloseConnection as refused:
            connection.close(refused.code, refused.reason)
            with contextlib.suppress(ConnectionError):
                await writer
        finally:
            writer.cancel()
            self._lost(connection, socket.close_code)
        return socket

    async def _listen(self, socket: web.WebSocketResponse, connection: Connection) -> None:
        while True:
            try:
                message = await socket.receive(timeout=2 * self._heartbeat)
            except TimeoutError:
                raise CloseConnection(4009, "Session timed out") from None
            match message.type:
                case WSMsgType.TEXT | WSMsgType.BINARY:
                    if connection.too_many(self._world.clock.time()):
                        raise CloseConnection(4008, "Rate limited")
                    self._take(_payload(message.data), connection)
                case WSMsgType.CLOSE | WSMsgType.CLOSING | WSMsgType.CLOSED | WSMsgType.ERROR:
                    return

    def _take(self, payload: Object, connection: Connection) -> None:
        op: Any = payload.get("op")
        data: Any = payload.get("d")
        if op == HEARTBEAT:
            # discord.py records the time only after sending, so an immediate response would look very late.
            asyncio.get_running_loop().call_later(ACK_DELAY, connection.send_op, ACK, None)
        elif op in (IDENTIFY, RESUME, REQUEST_MEMBERS) and not isinstance(data, dict):
            raise CloseConnection(4002, "Error while decoding payload")
        elif op in (IDENTIFY, RESUME) and connection.session is not None:
            raise CloseConnection(4005, "Already authenticated")
        elif op == IDENTIFY:
            self._identify(data, connection)
        elif op == RESUME:
            self._resume(data, connection)
        elif connection.session is None:
            raise CloseConnection(4003, "Not authenticated")
        elif op == REQUEST_MEMBERS:
            self._members(data, connection.session)
        elif op not in IGNORED:
            raise CloseConnection(4001, "Unknown opcode")

    def _identify(self, data: Object, connection: Connection) -> None:
        if not self.may_log_in(str(data.get("token", ""))):
            raise CloseConnection(4004, "Authentication failed")
        intents, shard = data.get("intents"), data.get("shard") or [0, 1]
        if not isinstance(intents, int) or intents < 0 or intents >> 26:
            raise CloseConnection(4013, "Invalid intent(s)")
        if intents & PRIVILEGED and not self._privileged:
            raise CloseConnection(4014, "Disallowed intent(s)")
        if not _is_shard(shard):
            raise CloseConnection(4010, "Invalid shard")
        world = self._world
        session = Session(secrets.token_hex(16), intents, *shard)
        guilds = [one for id_, one in world.guilds.items() if world.bot_is_in(id_) and session.serves(id_)]
        if len(guilds) > self._most_guilds:
            raise CloseConnection(4011, "Sharding required")
        if self.starts.used_up:
            self._end_token()
            raise CloseConnection(4004, "Authentication failed")
        if not self.starts.may_begin(shard[0]):
            connection.send_op(INVALID_SESSION, False)
            return
        session.take(connection)
        self._sessions[session.id] = session
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": world.bot | {"verified": True, "mfa_enabled": False, "email": None},
                "guilds": [{"id": guild["id"], "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "session_type": "normal",
                "resume_gateway_url": world.address.replace("http", "ws", 1),
                "shard": shard,
                "application": {"id": world.application["id"], "flags": world.application["flags"]},
                "private_channels": [],
                "relationships": [],
                "presences": [],
                "guild_join_requests": [],
                "geo_ordered_rtc_regions": [],
                "user_settings": {},
                "_trace": [],
            },
        )
        if intents & GUILDS:
            for guild in guilds:
                session.dispatch("GUILD_CREATE", payloads.guild_create(world, guild))
        world.set_meta("bot_seen", True)
        world.bot_seen = True
        world.publish(ApplicationChanged())

    def _resume(self, data: Object, connection: Connection) -> None:
        """Resume a session, or make the client identify again."""
        if not self.may_log_in(str(data.get("token", ""))):
            raise CloseConnection(4004, "Authentication failed")
        self._end_old_sessions()
        session, seq = self._sessions.get(str(data.get("session_id"))), data.get("seq")
        if session is None or not isinstance(seq, int) or not session.can_replay(seq):
            connection.send_op(INVALID_SESSION, False)
            return
        if seq > session.seq:
            raise CloseConnection(4007, "Invalid seq")
        if session.connection is not None:
            session.connection.close(4000, "Resumed elsewhere")
        session.take(connection)
        session.replay(seq)
        session.dispatch("RESUMED", {"_trace": []})
        self._world.publish(ApplicationChanged())

    def _lost(self, connection: Connection, code: int | None) -> None:
        """Record the end of a connection. If the client closed it with 1000 or 1001, its session ends too."""
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection, session.lost = None, self._world.clock.time()
        if code in (1000, 1001) and not connection.closed_here:
            self._end(session)
        self._end_old_sessions()
        self._world.publish(ApplicationChanged())

    def _end_old_sessions(self) -> None:
        limit = self._world.clock.time() - SESSION_KEPT
        for old in list(self._sessions.values()):
            if old.lost is not None and old.lost < limit:
                self._end(old)

    def _end(self, session: Session) -> None:
        self._sessions.pop(session.id, None)

    def _members(self, data: Object, session: Session) -> None:
        """Send the members that op 8 asks for, except for a server of another shard."""
        guild_id = str(data.get("guild_id"))
        if not self._world.bot_is_in(guild_id) or not session.serves(guild_id):
            return
        wanted = data.get("user_ids") or []
        # Libraries may send ids as numbers.
        wanted = [str(one) for one in (wanted if isinstance(wanted, list) else [wanted])]
        query, limit = str(data.get("query") or "").lower(), data.get("limit")
        there = [self._world.bot, *self._world.members_of(guild_id)]
        found = [
            self._world.member(guild_id, user["id"])
            for user in there
            if (user["id"] in wanted if wanted else user["username"].lower().startswith(query))
        ]
        chunk: Object = {
            "guild_id": guild_id,
            "members": found[: limit if isinstance(limit, int) and limit > 0 else None],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [one for one in wanted if one not in {user["id"] for user in there}],
        }
        if "nonce" in data:
            chunk["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)


def _payload(data: Any) -> Object:
    try:
        payload = json.loads(data)
    except ValueError:
        raise CloseConnection(4002, "Error while decoding payload") from None
    if not isinstance(payload, dict):
        raise CloseConnection(4002, "Error while decoding payload")
    return payload


def _is_shard(value: Any) -> bool:
    """Return whether the value is a pair [number of this shard, number of shards]."""
    numbers = isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value)
    return numbers and 0 <= value[0] < value[1]
