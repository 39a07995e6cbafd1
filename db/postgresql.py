"""Connections to a PostgreSQL server, which are cut when it hangs."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

import structlog
from sqlalchemy import Engine, event

from db.address import Server

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger()

CONNECT_S = 5.0
"""Seconds that a PostgreSQL server has for a new connection."""
SILENT_S = 1.0
"""Seconds that it has to give a sign of life after the longest that a statement may take."""
LIMITED = (
    "SELECT set_config('statement_timeout', '{}', false) WHERE current_setting('statement_timeout') = '0'"
)
"""Sets the limit in milliseconds unless the operator has set another for the user, the database or the address."""


class Connections:
    """The connections of an engine to a PostgreSQL server.

    A server may hang: then no statement ends, and none can be cancelled. So when it has given no sign of life for a
    while, all connections to it are cut.
    """

    def __init__(self, server: Server, statement_s: float) -> None:
        """End each statement that takes longer than `statement_s` seconds."""
        self._server = server
        self._limit = LIMITED.format(round(1000 * statement_s))
        self._silent = statement_s + SILENT_S
        self._open: WeakSet[asyncpg.Connection] = WeakSet()
        self._alive = monotonic()

    async def connect(self) -> "asyncpg.Connection":
        """Open a connection whose statements end in time. Raises OSError."""
        import asyncpg  # only here: a start with SQLite does not need it

        try:
            connection = await asyncpg.connect(self._server.dsn, timeout=CONNECT_S)
            try:
                await connection.execute(self._limit, timeout=CONNECT_S)
            except BaseException:
                connection.terminate()
                raise
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise ConnectionError(type(error).__name__) from error
        self._open.add(connection)
        return connection

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Cut all connections if the server gives no sign of life during the context."""
        looking = asyncio.create_task(self._cut_when_silent(monotonic()))
        try:
            yield
        finally:
            looking.cancel()

    async def _cut_when_silent(self, since: float) -> None:
        while True:
            await asyncio.sleep(max(0.0, max(since, self._alive) + self._silent - monotonic()))
            if monotonic() - max(since, self._alive) >= self._silent:
                self._cut()
                since = monotonic()

    def note_life(self, *_: Any) -> None:
        """Note that the server has answered."""
        self._alive = monotonic()

    def _cut(self) -> None:
        connections = [it for it in self._open if not it.is_closed()]
        if connections:
            log.warning("database.connections_cut", connections=len(connections))
        for connection in connections:
            connection.terminate()


_by_engine: WeakKeyDictionary[Engine, Connections] = WeakKeyDictionary()


def remember(engine: Engine, connections: Connections) -> None:
    """Note the connections of an engine."""
    _by_engine[engine] = connections
    event.listen(engine, "after_cursor_execute", connections.note_life)


def connections_of(engine: Engine) -> Connections | None:
    """Return the connections of an engine, if they are cut when the server hangs."""
    return _by_engine.get(engine)
