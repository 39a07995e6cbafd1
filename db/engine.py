"""Opening the store: the right driver with the right settings, and the newest schema."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from db.address import File, Server, address
from db.migrate import migrate
from db.sessions import READ_ONLY, Sessions
from db.startup_errors import explained
from db.store import SqlStore

BUSY_MS = 5000
"""How long another process may hold the SQLite file before a write gives up."""

ANSWER_S = 30
"""How long a PostgreSQL server may take to answer a new connection."""


@asynccontextmanager
async def open_store(url: str | None, data_dir: Path) -> AsyncIterator[SqlStore]:
    """The store at `url` (PostgreSQL or SQLite), or in a file in `data_dir`, its schema brought up to date.

    Raises StoreUnavailable, with one sentence to show, if it cannot be reached, read or migrated.
    """
    place = address(url, data_dir)
    with explained(place):
        await _prepare(place)
    engine = make_engine(place)
    try:
        yield SqlStore(Sessions(engine))
    finally:
        await engine.dispose()


async def _prepare(place: File | Server) -> None:
    """Bring the schema up to date, making the file and its folder if there is none."""
    if isinstance(place, File):
        place.path.parent.mkdir(parents=True, exist_ok=True)
    # On SQLite a migration may have to rebuild a table; with foreign keys on, dropping the old one would
    # delete every row that refers to it. So migrations get an engine of their own, and check the keys after.
    engine = make_engine(place, foreign_keys=False)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()


def make_engine(place: File | Server, *, foreign_keys: bool = True) -> AsyncEngine:
    """An engine for the database; nothing is connected yet. `foreign_keys` matters to SQLite only.

    Its errors name no values, since hidden moves may be among them.
    """
    if isinstance(place, Server):

        async def connect() -> asyncpg.Connection:
            return await asyncpg.connect(place.dsn, timeout=ANSWER_S)

        # Transactions last milliseconds, so few connections serve everybody, and small servers offer few.
        # A server may have been restarted between two moves: look before use.
        return create_async_engine(
            "postgresql+asyncpg://",
            async_creator=connect,
            pool_size=5,
            max_overflow=0,
            pool_pre_ping=True,
            hide_parameters=True,
        )
    place_url = URL.create("sqlite+aiosqlite", database=str(place.path))
    engine = create_async_engine(place_url, hide_parameters=True)
    _tune_sqlite(engine, foreign_keys)
    return engine


def _tune_sqlite(engine: AsyncEngine, foreign_keys: bool) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        # The driver must begin nothing by itself: it would begin late, and a read followed by a write in one
        # transaction would then be refused or, worse, lost.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        # FULL waits for the disk at every commit: a power cut costs only what nobody was told of yet.
        # NORMAL would be faster and would lose the last moves, which their players have seen on the board.
        cursor.execute("PRAGMA synchronous = FULL")
        # What a member has deleted must not stay in free parts of the file.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "invalidate")
    def dropped(connection: DBAPIConnection, entry: ConnectionPoolEntry, error: BaseException | None) -> None:
        # A task was cancelled while it waited for the database, and its connection is about to be closed. SQLite
        # closes one only when its last statement is garbage, and would keep the write lock until then.
        connection.rollback()

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:
        # A writer takes its turn before it reads, so what it read still holds when it writes.
        reading = connection.get_execution_options().get(READ_ONLY, False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
