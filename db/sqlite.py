"""SQLite: its settings, its transactions, and the threads in which whole transactions run."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from math import inf
from time import monotonic, sleep
from typing import TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry

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
