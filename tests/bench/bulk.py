"""Filling a database quickly, past the store: the schema is the migrations', indexes are built when all is in."""

import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import Dialect

from db.address import File, Server
from db.engine import make_engine
from db.models import Base
from tests.bench.records import COLUMNS, Batch, Row

OURS = "ix_"
"""The beginning of the names of all indexes that are not of a key."""


async def fill(places: Iterable[File | Server], batches: Iterable[Batch]) -> None:
    """Add all these rows to each of these databases, whose tables are there and empty."""
    async with AsyncExitStack() as stack:
        sinks: list[tuple[Dialect, _Sqlite | _Postgresql]] = []
        for place in places:
            opened = _postgresql(place) if isinstance(place, Server) else _sqlite(place.path)
            sinks.append((make_engine(place).dialect, await stack.enter_async_context(opened)))
        for table, rows in batches:
            for dialect, sink in sinks:
                if rows:
                    await sink.add(table.__tablename__, COLUMNS[table], _bound(table, rows, dialect))


def _bound(table: type[Base], rows: Sequence[Row], dialect: Dialect) -> list[Row]:
    """The rows as the driver takes them."""
    columns: list[Iterable[Any]] = []
    for name, values in zip(COLUMNS[table], zip(*rows, strict=True), strict=True):
        kind = Base.metadata.tables[table.__tablename__].c[name].type
        process = kind.dialect_impl(dialect).bind_processor(dialect)
        columns.append(values if process is None else map(process, values))
    return list(zip(*columns, strict=True))


class _Sqlite:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def add(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        marks = ", ".join("?" * len(columns))
        self._connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


@asynccontextmanager
async def _sqlite(path: Path) -> AsyncIterator[_Sqlite]:
    with closing(sqlite3.connect(path)) as connection:
        # A file that is half full after a fall is thrown away: nothing waits for the disk or is written twice.
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "cache_size = -200000",
            "foreign_keys = OFF",
        ):
            connection.execute(f"PRAGMA {pragma}")
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index'")
        indexes = [(name, sql) for name, sql in found if name.startswith(OURS)]
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        yield _Sqlite(connection)
        for _, sql in indexes:
            connection.execute(sql)
        connection.commit()


class _Postgresql:
    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def add(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        if "id" in columns:
            # Unlike SQLite, the server would give the ids of these rows to the next ones.
            number = f"setval(pg_get_serial_sequence('{table}', 'id'), $1)"
            await self._connection.execute(f"SELECT {number}", max(row[columns.index("id")] for row in rows))
        await self._connection.copy_records_to_table(table, columns=columns, records=rows)


@asynccontextmanager
async def _postgresql(place: Server) -> AsyncIterator[_Postgresql]:
    connection = await asyncpg.connect(place.dsn)
    try:
        found = await connection.fetch(
            "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
        )
        indexes = [tuple(row) for row in found if row["indexname"].startswith(OURS)]
        for name, _ in indexes:
            await connection.execute(f"DROP INDEX {name}")
        yield _Postgresql(connection)
        for _, sql in indexes:
            await connection.execute(sql)
        # A running server does this by itself after so many changes.
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()
