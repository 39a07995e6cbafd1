"""Opening the store: driver, settings and the newest schema."""

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
"""The time in milliseconds after which a write gives up if another process has locked the SQLite file."""

ANSWER_S = 30
"""The time in seconds that a PostgreSQL server has to answer a new connection."""


@asynccontextmanager
async def open_store(url: str | None, data_dir: Path) -> AsyncIterator[SqlStore]:
    """Open the store at `url` (PostgreSQL or SQLite), or in a file in `data_dir`, and bring its schema up to date.

    Raises StoreUnavailable if it cannot be reached, read or migrated.
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
    """Bring the schema up to date. The file and its folder are created if they do not exist."""
    if isinstance(place, File):
        place.path.parent.mkdir(parents=True, exist_ok=True)
    # On SQLite a migration may have to rebuild a table; with foreign keys on, dropping the old table would
    # delete every row that refers to it. So migrations have their own engine and check the keys at the end.
    engine = make_engine(place, foreign_keys=False)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()


def make_engine(place: File | Server, *, foreign_keys: bool = True) -> AsyncEngine:
    """Return an engine for the database, not connected yet. `foreign_keys` matters to SQLite only.

    Its errors quote no values, since hidden moves may be among them.
    """
    if isinstance(place, Server):

        async def connect() -> asyncpg.Connection:
            return await asyncpg.connect(place.dsn, timeout=ANSWER_S)

        # Transactions last milliseconds, so a few connections are enough, and small servers offer few.
        # The server may have been restarted between two moves, so each connection is tested before use.
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
        # The driver must not begin transactions: it would begin them late, and a read followed by a write in one
        # transaction would then be refused or, worse, lost.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        # FULL waits for the disk at every commit, so that a power cut loses nothing that was shown.
        # NORMAL is faster, but it would lose the last moves, which their players have seen on the board.
        cursor.execute("PRAGMA synchronous = FULL")
        # Deleted data of a member must not stay in free parts of the file.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "invalidate")
    def dropped(connection: DBAPIConnection, entry: ConnectionPoolEntry, error: BaseException | None) -> None:
        # A task was cancelled while it waited for the database, so its connection is closed. SQLite closes it
        # only when its last statement was collected as garbage, and would keep the write lock until then.
        connection.rollback()

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:
        # A writer takes the write lock before it reads, so that what it has read is still true when it writes.
        reading = connection.get_execution_options().get(READ_ONLY, False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
