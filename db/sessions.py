"""Transactions for reading and for writing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from db.api.shards import Ownership
from db.sqlite import READ_ONLY, Threads

T = TypeVar("T")


class Sessions:
    """Sessions of one engine; each is a transaction. `ownership` says what this process looks after."""

    def __init__(self, engine: AsyncEngine, ownership: Ownership | None = None) -> None:
        self.ownership = ownership or Ownership()
        if engine.dialect.name == "postgresql":
            # All queries of one read see the same moment: a match must not have more plies than its row says.
            reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        else:
            reader = engine.execution_options(**{READ_ONLY: True})
        self._reader, self._writer = reader, engine
        self._threads = Threads(engine) if engine.dialect.name == "sqlite" else None
        self._reads = async_sessionmaker(reader, expire_on_commit=False)
        self._writes = async_sessionmaker(engine, expire_on_commit=False)
        # SQLite has one writer at a time. The writers of this process queue here, in order, instead of polling
        # the file's lock, which is then left to other processes. PostgreSQL locks single rows.
        self._writing = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Open a session that reads the store as it is at one moment."""
        async with self._reads.begin() as session:
            yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Open a session that commits at the end of the block, or changes nothing if the block raises.

        Rows that decide if the change may happen must be read `with_for_update`.
        """
        if self._writing is None:
            async with self._writes.begin() as session:
                yield session
        else:
            async with self._writing, self._writes.begin() as session:
                yield session

    async def read_at_once(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a connection that reads the store as it is at one moment, and return what it returns.

        This and `write_at_once` are for what is done at every move: they cost a fraction of a session.
        """
        if self._threads is not None:
            return await self._threads.read(work)
        async with self._reader.begin() as connection:
            return await connection.run_sync(work)

    async def write_at_once(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a connection that commits when it returns, or changes nothing if it raises."""
        if self._threads is not None and self._writing is not None:
            async with self._writing:
                return await self._threads.write(work)
        async with self._writer.begin() as connection:
            return await connection.run_sync(work)
