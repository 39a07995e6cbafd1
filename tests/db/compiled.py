"""A pytest plugin that saves most tests of the store half their time.

Statements are compiled once per worker, not once per engine. SQLAlchemy keeps compiled statements per engine and per
dialect object. Most tests open an engine of their own, so they would spend about as much time on compiling statements
as on running them.

Within `in_loop`, engines for SQLite run statements in the event loop instead of in a thread for each connection: a task
waits one cycle of the loop for each, so that other tasks go on meanwhile, always in the same order. Not for tests in
which two engines write at the same time, since one that waits for a lock would stop the other.

Engines for SQLite do not wait for the disk: what is committed must outlive processes here, which tests kill, but not
the machine. The server of PostgreSQL is started in the same way (`postgres.py`).
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

CACHE: dict[Any, Any] = {}


class Shared:
    """A dialect whose objects are equal, so that the statements compiled for one serve all."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine.update_execution_options(compiled_cache=CACHE)


class Hasty(Shared):
    """A dialect whose connections do not wait for the disk, unless a test needs what is `durable`."""

    durable = False

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        super().engine_created(engine)
        if not Hasty.durable:
            event.listen(engine, "checkout", hurry)


def hurry(connection: DBAPIConnection, entry: ConnectionPoolEntry, _: object) -> None:
    """Change the setting of a connection once. The product has set it when the connection was opened."""
    if "hasty" not in entry.info:
        entry.info["hasty"] = True
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.close()


@pytest.fixture
def durable() -> Iterator[None]:
    """Request this in tests whose engines are to wait for the disk, as those of the bot do."""
    Hasty.durable = True
    yield
    Hasty.durable = False


class Sqlite(Hasty, SQLiteDialect_pysqlite):
    supports_statement_cache = True


class AsyncSqlite(Hasty, SQLiteDialect_aiosqlite):
    supports_statement_cache = True
    in_loop = at_once = False
    """With `at_once` a task does not wait for its statements, so that no other task goes on meanwhile."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.runs_in_loop = self.in_loop

    def connect(self, *arguments: Any, **options: Any) -> Any:
        if self.runs_in_loop:
            options["async_creator_fn"] = connected
        return super().connect(*arguments, **options)


QUICK = ("cursor", "fetchall", "fetchone", "fetchmany", "close")
"""Methods of sqlite3 that run no statement. Other tasks need not go on before them."""


class Loop:
    """Stands for the thread of a connection and for its queue."""

    daemon = True

    def start(self) -> None:
        """The loop runs already."""

    def put_nowait(self, asked: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        future, function = asked
        if future is None:  # closed as garbage
            function()
        elif AsyncSqlite.at_once or (isinstance(function, partial) and function.func.__name__ in QUICK):
            self._run(future, function)
        else:
            future.get_loop().call_soon(self._run, future, function)

    def _run(self, future: asyncio.Future[Any], function: Callable[[], Any]) -> None:
        try:
            result = function()
        except BaseException as error:
            if not future.done():
                future.set_exception(error)
        else:
            if not future.done():
                future.set_result(result)


def connected(*arguments: Any, **options: Any) -> aiosqlite.Connection:
    connection: Any = aiosqlite.connect(*arguments, **options)
    connection._tx = connection._thread = Loop()
    made: aiosqlite.Connection = connection
    return made


@pytest.fixture
def threads() -> None:
    """Request this in tests in which two engines write at the same time."""


@contextmanager
def in_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the engines that are made meanwhile run their statements in the event loop, unless a test needs `threads`."""
    AsyncSqlite.in_loop = "threads" not in request.fixturenames
    try:
        yield
    finally:
        AsyncSqlite.in_loop = False


@contextmanager
def at_once() -> Iterator[None]:
    """Let the engines that are made meanwhile run each statement at once, without letting other tasks go on."""
    AsyncSqlite.in_loop = AsyncSqlite.at_once = True
    try:
        yield
    finally:
        AsyncSqlite.in_loop = AsyncSqlite.at_once = False


class Postgresql(Shared, PGDialect_asyncpg):
    supports_statement_cache = True


registry.register("sqlite", __name__, "Sqlite")
registry.register("sqlite.pysqlite", __name__, "Sqlite")
registry.register("sqlite.aiosqlite", __name__, "AsyncSqlite")
registry.register("postgresql.asyncpg", __name__, "Postgresql")
