"""Transactions for reading and for writing, and the settings and threads of SQLite, in which whole transactions run.

Failures of the database are StoreFailed.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, nullcontext
from contextvars import copy_context
from math import inf
from time import monotonic, sleep
from typing import TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from db.postgresql import connections_of
from db.values.failures import StoreFailed, note_stored
from db.values.places import Ownership

T = TypeVar("T")

BUSY_MS = 5000
"""The time in milliseconds after which a write gives up if another process has locked the SQLite file."""

READ_ONLY = "pencilbox_read_only"
"""The execution option of a connection that only reads."""

LIMIT = "pencilbox_statement_s"
"""The option of an engine that holds the seconds that a statement may take; None or nothing: as long as it needs."""
UNTIL = "pencilbox_until"
"""The entry in the notes of a connection that holds the time at which its statement is ended."""
STEPS = 50_000
"""The steps of SQLite's machine, about a millisecond's, between two looks at the clock."""

THREADS = 3
"""One thread for the transaction that writes, and two for those that read meanwhile: a long one delays no move."""


class Threads:
    """The threads that run whole transactions on the file of an engine, each as one function.

    The driver of the engine itself changes to its thread and back for every statement and more, which takes several
    times as long as SQLite needs.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._writer = create_engine(
            engine.url.set(drivername="sqlite"),
            hide_parameters=True,
            execution_options=engine.get_execution_options(),
        )
        tune(self._writer)
        self._reader = self._writer.execution_options(**{READ_ONLY: True})
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="sqlite")
        event.listen(engine.sync_engine, "engine_disposed", self._close)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction that reads."""
        return await self._run(self._reader, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction that writes, which is committed unless `work` raises."""
        return await self._run(self._writer, work)

    async def _run(self, engine: Engine, work: Callable[[Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        # In the context of the task, so that log lines carry its request id.
        running = loop.run_in_executor(self._threads, copy_context().run, _in_transaction, engine, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            # The thread goes on. What its transaction does must be done before anything else begins.
            await asyncio.wait((running,))
            raise

    def _close(self, _: Engine) -> None:
        self._threads.shutdown()
        self._writer.dispose()


def _in_transaction(engine: Engine, work: Callable[[Connection], T]) -> T:
    with engine.begin() as connection:
        return work(connection)


def tune(engine: Engine, *, foreign_keys: bool = True) -> None:
    """Give all connections of an engine the settings that keep what was committed, and its limit for statements."""
    limit: float | None = engine.get_execution_options().get(LIMIT)

    @event.listens_for(engine, "connect")
    def connected(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        # The driver must not begin transactions: it would begin them late, and a read followed by a write in one
        # transaction would then be refused or, worse, lost.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        _write_ahead(cursor)
        # FULL waits for the disk at every commit, so that a power cut loses nothing that was shown.
        # NORMAL is faster, but it would lose the last moves, which their players have seen on the board.
        cursor.execute("PRAGMA synchronous = FULL")
        # Deleted data of a member must not stay in free parts of the file.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()
        if limit is not None:
            _watch(connection, entry)

    if limit is not None:

        @event.listens_for(engine, "before_cursor_execute")
        def started(connection: Connection, *_: object) -> None:
            connection.info[UNTIL][0] = monotonic() + limit

    @event.listens_for(engine, "invalidate")
    def dropped(connection: DBAPIConnection, entry: ConnectionPoolEntry, error: BaseException | None) -> None:
        # A task was cancelled while it waited for the database, so its connection is closed. SQLite closes it
        # only when its last statement was collected as garbage, and would keep the write lock until then.
        connection.rollback()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        # A writer takes the write lock before it reads, so that what it has read is still true when it writes.
        reading = connection.get_execution_options().get(READ_ONLY, False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _watch(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
    """End each statement on a connection that goes on after the time in `entry.info`."""
    until: list[float] = [inf]
    entry.info[UNTIL] = until

    def late() -> bool:
        return monotonic() > until[0]

    if isinstance(connection, sqlite3.Connection):
        connection.set_progress_handler(late, STEPS)
    else:
        connection.run_async(lambda it: it.set_progress_handler(late, STEPS))


def _write_ahead(cursor: DBAPICursor) -> None:
    """Let the file be written ahead. SQLite does not wait for other processes that do so to a new file meanwhile."""
    until = monotonic() + BUSY_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return


TURN_S = 2 * BUSY_MS / 1000
"""Seconds that a writer waits for those before it; each gives up after BUSY_MS if another process locks the file."""
NO_LIMIT = text("SET LOCAL statement_timeout = 0")
OURS = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
"""Errors of a statement itself: the database is well."""


class Step:
    """The progress of a transaction: `done` is True once only its commit is left."""

    done = False


def _driver_error(error: BaseException) -> BaseException | None:
    return error.orig if isinstance(error, DBAPIError) else error


def _is_of_the_statement(error: BaseException) -> bool:
    """Return True for SQLite's errors of statements, such as a table that does not exist."""
    code = getattr(_driver_error(error), "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_ERROR


def _name(error: BaseException) -> str:
    """Return an error by its kind, without its text, which may quote a statement."""
    cause = _driver_error(error) or error
    # asyncio's TimeoutError comes from the CancelledError of what it has ended, which says nothing.
    if not isinstance(cause.__cause__, asyncio.CancelledError):
        cause = cause.__cause__ or cause
    return str(getattr(cause, "sqlite_errorname", None) or type(cause).__name__)


class Sessions:
    """The sessions of one engine; each is a transaction. `ownership` says which servers this process owns."""

    def __init__(self, engine: AsyncEngine, ownership: Ownership | None = None) -> None:
        self.ownership = ownership or Ownership()
        if engine.dialect.name == "postgresql":
            # All queries of one read see the same moment: a match must not have more plies than its row says.
            reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        else:
            reader = engine.execution_options(**{READ_ONLY: True})
        self._reader, self._writer = reader, engine
        self._connections = connections_of(engine.sync_engine)
        self._threads = Threads(engine) if engine.dialect.name == "sqlite" else None
        self._reads = async_sessionmaker(reader, expire_on_commit=False)
        self._writes = async_sessionmaker(engine, expire_on_commit=False)
        # SQLite has one writer at a time. The writers of this process queue here, in order, instead of polling
        # the file's lock, which is then left to other processes. PostgreSQL locks single rows.
        self._writing = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Open a session that reads the store as it is at one moment."""
        with self._answered():
            async with self._reads.begin() as session:
                yield session

    @asynccontextmanager
    async def write(self, *, unlimited: bool = False) -> AsyncIterator[AsyncSession]:
        """Open a session that commits at the end of the block, or changes nothing if the block raises.

        With `unlimited` its statements may take longer than members wait.

        Rows that decide if the change may happen must be read `with_for_update`.
        """
        with self._answered(writing=True, unlimited=unlimited) as step:
            async with self._turn_to_write(), self._writes.begin() as session:
                if unlimited and self._connections is not None:
                    await session.execute(NO_LIMIT)
                yield session
                step.done = True

    async def read_at_once(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a connection that reads the store as it is at one moment, and return what it returns.

        This and `write_at_once` are for what is done at every move: they cost a fraction of a session.
        """
        with self._answered():
            if self._threads is not None:
                return await self._threads.read(work)
            async with self._reader.begin() as connection:
                return await connection.run_sync(work)

    async def write_at_once(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a connection that commits when it returns, or changes nothing if it raises."""
        with self._answered(writing=True) as step:
            if self._threads is not None:
                async with self._turn_to_write():
                    return await self._threads.write(work)
            async with self._writer.begin() as connection:
                result = await connection.run_sync(work)
                step.done = True
            return result

    @contextmanager
    def _answered(self, *, writing: bool = False, unlimited: bool = False) -> Iterator[Step]:
        """Turn failures of the database in this context into StoreFailed; a server that hangs is one of them."""
        step = Step()
        watched = nullcontext() if self._connections is None or unlimited else self._connections.watched()
        try:
            with watched:
                yield step
        except (DBAPIError, NoConnection, OSError) as error:
            if isinstance(error, OURS) or _is_of_the_statement(error):
                raise
            cut_off = not isinstance(_driver_error(error), sqlite3.Error)
            raise StoreFailed(_name(error), commit_unknown=writing and step.done and cut_off) from error
        if writing:
            note_stored()

    @asynccontextmanager
    async def _turn_to_write(self) -> AsyncIterator[None]:
        """Wait for the writers before; raises TimeoutError if the file stays locked meanwhile."""
        if self._writing is None:
            yield
            return
        async with asyncio.timeout(TURN_S):
            await self._writing.acquire()
        try:
            yield
        finally:
            self._writing.release()
