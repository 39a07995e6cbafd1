"""Transactions: reads that agree with each other, and changes that happen whole or not at all."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

READ_ONLY = "pencilbox_read_only"
"""The execution option of a connection that will only read."""


class Sessions:
    """Sessions of one engine, each a transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        if engine.dialect.name == "postgresql":
            # All queries of one read see the same moment: a match must not have more plies than its row says.
            reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        else:
            reader = engine.execution_options(**{READ_ONLY: True})
        self._reads = async_sessionmaker(reader, expire_on_commit=False)
        self._writes = async_sessionmaker(engine, expire_on_commit=False)
        # SQLite has one writer. Our own writers queue here, in order, rather than poll the file's lock;
        # that lock is then left to other processes. PostgreSQL locks the rows that a change is about.
        self._turn = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """A session that sees one moment of the store and changes nothing."""
        async with self._reads.begin() as session:
            yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """A session that commits at the end of the block, or leaves no trace if it raises.

        Rows that decide whether the change may happen must be read `with_for_update`.
        """
        if self._turn is None:
            async with self._writes.begin() as session:
                yield session
        else:
            async with self._turn, self._writes.begin() as session:
                yield session
