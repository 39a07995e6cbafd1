"""The link of processes on a PostgreSQL server: a connection of each holds its locks and receives notifications.

PgBouncer in transaction mode cannot carry it: locks and LISTEN belong to a connection.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg

from db.address import Server
from db.processes.link import LinkLost, Look
from db.processes.notifications import CHANNEL, Notification, Subject

KEY = 0x70656E63696C626F  # "pencilbo": a number that no other program locks
"""The lock that every process of the bot shares; a command that must have the database alone has it for itself."""
ANSWER_S = 5
"""The time in seconds that a PostgreSQL server has to answer, before its locks count as lost."""
SETTINGS = (
    # With these the server notices within 20 s that a machine has died without closing its connection. Until then it
    # keeps the locks; a process that gets no answer counts them as lost before.
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 2",
    "SET tcp_user_timeout = 20000",
    # A pause between two looks is no reason to end the connection.
    "SET idle_session_timeout = 0",
)
SHARD, COUNT, SHARING, TURN, GATE = range(0x70656E00, 0x70656E05)
"""The classes of locks: by shard, by number of shards, of those who share, by remainder of logins, and a gate that one
passes at a time."""

_HELD = """
    SELECT pid, classid::bigint AS class, objid::bigint AS id, pid = pg_backend_pid() AS ours FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid::bigint = ANY ($1::bigint[])
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_SESSION = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_THAT = "FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2"
SOON = 0.05
"""Seconds between two looks if a session has ended."""
_LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # of a connection that was cut in the middle of a command
)


class ServerLink:
    """A link through PostgreSQL: its locks, which end with their connection, and its notifications."""

    def __init__(self, place: Server) -> None:
        self._place = place
        self._connection: asyncpg.Connection | None = None
        self._using = asyncio.Lock()
        self._shards: set[int] = set()
        self._session: asyncpg.Record | None = None
        """The server's own name for the last connection."""
        self.unreachable = False
        self.lost: Callable[[], None] = lambda: None
        self.on_notification: Callable[[Notification], None] = lambda _: None

    @property
    def joined(self) -> bool:
        return self._connection is not None

    async def join(self) -> bool:
        if self.joined:
            return True
        connection: asyncpg.Connection | None = None
        try:
            connection = await connect(self._place)
            # A command that must have the database alone, or an earlier version, locks this key for itself.
            if not await connection.fetchval("SELECT pg_try_advisory_lock_shared($1)", KEY):
                await connection.close(timeout=ANSWER_S)
                self.unreachable = False
                return False
            await self._end_session(connection)
            self._session = await connection.fetchrow(_SESSION)
            await connection.add_listener(CHANNEL, self._hear)
        except _LOST as error:
            if connection is not None:
                connection.terminate()
            self.unreachable = isinstance(error, TimeoutError)
            return False
        except asyncio.CancelledError:
            if connection is not None:
                connection.terminate()
            raise
        connection.add_termination_listener(self._ended)
        self._connection, self.unreachable = connection, False
        return True

    async def _end_session(self, connection: asyncpg.Connection) -> None:
        """End the last connection on the server as well: it may not have noticed yet, and still keep the locks."""
        if self._session is None:
            return
        await connection.execute(f"SELECT pg_terminate_backend(pid) {_THAT}", *self._session)
        # PostgreSQL does not tell when it has ended.
        async with asyncio.timeout(ANSWER_S):
            while await connection.fetchval(f"SELECT count(*) {_THAT}", *self._session):  # noqa: ASYNC110 - see above
                await asyncio.sleep(SOON)

    async def agree(self, count: int) -> int:
        async with self._asking() as connection:
            await connection.execute("SELECT pg_advisory_lock($1, 0)", GATE)
            try:
                held = await connection.fetch(_HELD, [COUNT])
                agreed = next((row["id"] for row in held if not row["ours"]), count)
                if not any(row["ours"] for row in held):
                    await connection.execute("SELECT pg_advisory_lock_shared($1, $2)", COUNT, agreed)
            finally:
                await connection.execute("SELECT pg_advisory_unlock($1, 0)", GATE)
        return int(agreed)

    async def share(self) -> None:
        async with self._asking() as connection:
            await connection.execute("SELECT pg_advisory_lock_shared($1, 0)", SHARING)

    async def end_sharing(self) -> None:
        async with self._asking() as connection:
            await connection.execute("SELECT pg_advisory_unlock_shared($1, 0)", SHARING)

    async def look(self) -> Look:
        async with self._asking() as connection:
            rows = await connection.fetch(_HELD, [SHARD, COUNT, SHARING])
        by_process: defaultdict[int, set[int]] = defaultdict(set)
        for row in rows:
            if row["class"] == SHARD:
                by_process[row["pid"]].add(row["id"])
        sharing = {row["pid"] for row in rows if row["class"] == SHARING and not row["ours"]}
        return Look(
            frozenset(shard for shards in by_process.values() for shard in shards),
            {process: frozenset(by_process[process]) for process in sharing},
            alone=all(row["ours"] for row in rows),
        )

    async def take(self, shard: int) -> bool:
        if shard in self._shards:
            return True
        async with self._asking() as connection:
            if not await _try(connection, SHARD, shard):
                return False
            self._shards.add(shard)
        return True

    async def give(self, shard: int) -> None:
        async with self._asking() as connection:
            await connection.execute("SELECT pg_advisory_unlock($1, $2)", SHARD, shard)
            self._shards.discard(shard)
            await connection.execute(
                "SELECT pg_notify($1, $2)", CHANNEL, str(Notification(Subject.FREE, shard))
            )

    async def take_turn(self, remainder: int) -> bool:
        with suppress(LinkLost):
            async with self._asking() as connection:
                return await _try(connection, TURN, remainder)
        return False

    async def end_turn(self, remainder: int) -> None:
        with suppress(LinkLost):
            async with self._asking() as connection:
                await connection.execute("SELECT pg_advisory_unlock($1, $2)", TURN, remainder)

    async def leave(self) -> None:
        connection, self._connection = self._connection, None
        self._shards.clear()
        if connection is not None:
            await close(connection)

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[asyncpg.Connection]:
        """Use the connection, one at a time. Raises LinkLost."""
        async with self._using:
            connection = self._connection
            if connection is None:
                raise LinkLost
            try:
                yield connection
            except _LOST:
                self._ended(connection)
                connection.terminate()
                raise LinkLost from None

    def _ended(self, connection: Any) -> None:
        """Count the connection as lost, once."""
        if connection is self._connection:
            self._connection = None
            self._shards.clear()
            self.lost()

    def _hear(self, connection: Any, process: int, channel: str, text: object) -> None:
        if (notification := Notification.read(str(text))) is not None:
            self.on_notification(notification)


async def connect(place: Server) -> "asyncpg.Connection":
    """Open a connection that can hold locks. Raises OSError, and errors of asyncpg."""
    connection = await asyncpg.connect(place.dsn, timeout=ANSWER_S, command_timeout=ANSWER_S)
    try:
        for setting in SETTINGS:
            with suppress(asyncpg.UndefinedObjectError):  # an older server
                await connection.execute(setting)
    except BaseException:
        connection.terminate()
        raise
    return connection


async def close(connection: "asyncpg.Connection") -> None:
    """Close a connection, which gives up its locks. Raises nothing."""
    with suppress(*_LOST):
        await connection.close(timeout=ANSWER_S)


async def lock_alone(connection: "asyncpg.Connection") -> bool:
    """Let no process of the bot serve the database as long as this connection is open. False if one does already."""
    return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", KEY))


async def _try(connection: asyncpg.Connection, kind: int, number: int) -> bool:
    return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", kind, number))
