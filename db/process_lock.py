"""The lock that lets only one process serve a database. Others wait until it has ended and then take over.

Discord sends every interaction to every session of an application. If two processes served one database, both would
act on each interaction, and only one could answer. With the lock an operator may start a new version before stopping
the old one. A process that ends in any way, even killed, releases the lock.
"""

import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

import asyncpg

from db.address import File, Server, address

ANSWER_S = 10
"""The time in seconds that a PostgreSQL server has to answer."""
KEY = 0x70656E63696C626F  # "pencilbo": a number that no other program locks
ALIVE = (
    "SET tcp_keepalives_idle = 20",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 3",
)
"""With these the server notices in less than a minute that a machine has died without closing its connection."""


class ProcessLock(Protocol):
    """The lock of one database."""

    async def acquire(self) -> bool:
        """Take the lock if it is free. Return True if this process has it. Raises nothing.

        While the database cannot be reached, the answer stays the same: no other process can serve then either.
        """


@asynccontextmanager
async def process_lock(url: str | None, data_dir: Path) -> AsyncIterator[ProcessLock]:
    """Yield the lock of a database, named as for `open_store`, and release it at the end of the block."""
    place = address(url, data_dir)
    lock = _FileLock(place.path) if isinstance(place, File) else _ServerLock(place)
    try:
        yield lock
    finally:
        await lock.release()


class _FileLock:
    """A lock on a file beside the database; the system releases it with the process."""

    def __init__(self, database: Path) -> None:
        # Earlier versions have used this name, and one of them may still run.
        self._path = database.with_name(f"{database.name}.turn")
        self._held: BinaryIO | None = None

    async def acquire(self) -> bool:
        if self._held is None:
            file = self._path.open("ab")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                return False
            self._held = file
        return True

    async def release(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None


class _ServerLock:
    """A lock that PostgreSQL keeps as long as its connection."""

    def __init__(self, place: Server) -> None:
        self._place = place
        self._connection: asyncpg.Connection | None = None
        self._ours = False

    async def acquire(self) -> bool:
        with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            self._ours = await self._taken()
        return self._ours

    async def _taken(self) -> bool:
        connection = self._connection
        if connection is None or connection.is_closed():
            # The lock ended with the connection; another process may have it now.
            connection = await asyncpg.connect(self._place.dsn, timeout=ANSWER_S, command_timeout=ANSWER_S)
            self._connection = connection
            for setting in ALIVE:
                await connection.execute(setting)
        elif self._ours:
            await connection.execute("SELECT 1")
            return True
        return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", KEY))

    async def release(self) -> None:
        if self._connection is not None:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await self._connection.close(timeout=ANSWER_S)
            self._connection, self._ours = None, False
