"""Whose turn it is to serve a database: one process at a time, others wait until it has ended and then take over.

Discord tells every session of an application of every interaction. Of two processes that both serve, each would act on
it and only one could answer; so the second stands by, and whoever starts a new version before stopping the old one, or
the bot twice by mistake, does no harm. Ended in any way, even killed, a process has given its turn up.
"""

import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

import asyncpg

from db.address import File, Server, address

ANSWER_S = 10
"""How long a PostgreSQL server may take to answer."""
KEY = 0x70656E63696C626F  # "pencilbo", any number that nobody else locks
ALIVE = (
    "SET tcp_keepalives_idle = 20",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 3",
)
"""After less than a minute the server misses a machine that has died, which cannot close its connection."""


class ProcessLock(Protocol):
    """The turn to serve one database."""

    async def take(self) -> bool:
        """Whether it is this process's: taken now, or still. Raises nothing.

        While the database cannot be reached that is as it was before: then nobody else can serve either.
        """


@asynccontextmanager
async def process_lock(url: str | None, data_dir: Path) -> AsyncIterator[ProcessLock]:
    """The turn at the database at `url` or in `data_dir`, as for `open_store`; given up at the end of the block."""
    place = address(url, data_dir)
    turn = _AtFile(place.path) if isinstance(place, File) else _AtServer(place)
    try:
        yield turn
    finally:
        await turn.give_up()


class _AtFile:
    """A lock on a file beside the database; the system lets it go with its process."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}.turn")
        self._held: BinaryIO | None = None

    async def take(self) -> bool:
        if self._held is None:
            file = self._path.open("ab")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                return False
            self._held = file
        return True

    async def give_up(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None


class _AtServer:
    """A lock that PostgreSQL keeps for as long as a connection stands."""

    def __init__(self, place: Server) -> None:
        self._place = place
        self._connection: asyncpg.Connection | None = None
        self._ours = False

    async def take(self) -> bool:
        with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            self._ours = await self._taken()
        return self._ours

    async def _taken(self) -> bool:
        connection = self._connection
        if connection is None or connection.is_closed():
            # The lock went with the connection; by now somebody else may have it.
            connection = await asyncpg.connect(self._place.dsn, timeout=ANSWER_S, command_timeout=ANSWER_S)
            self._connection = connection
            for setting in ALIVE:
                await connection.execute(setting)
        elif self._ours:
            await connection.execute("SELECT 1")
            return True
        return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", KEY))

    async def give_up(self) -> None:
        if self._connection is not None:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await self._connection.close(timeout=ANSWER_S)
            self._connection, self._ours = None, False
