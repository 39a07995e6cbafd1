"""Transactions for reading and for writing. Failures of the database are StoreFailed."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from db.postgresql import connections_of
from db.sqlite import BUSY_MS, READ_ONLY, Threads
from db.values.failures import StoreFailed, about_to_store, note_stored
from db.values.places import Ownership

T = TypeVar("T")

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
        await about_to_store()
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
        await about_to_store()
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
