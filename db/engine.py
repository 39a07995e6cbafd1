"""Opening the store: driver, settings and the newest schema."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from db.address import File, Server, address
from db.migrate import check_current, migrate, no_tables, revision
from db.postgresql import CONNECT_S, Connections, remember
from db.sessions import Sessions
from db.sqlite import LIMIT, tune
from db.sqlite_files import check_alone, check_start, mark
from db.startup_errors import explained
from db.store import Store
from db.values.failures import StoreUnavailable
from db.values.places import Ownership

if TYPE_CHECKING:
    import asyncpg

ANSWER_S = 30
"""The time in seconds that a PostgreSQL server has to answer a new connection."""
STATEMENT_S = 6.0
"""The time in seconds that one statement of the running bot may take; then the database ends it. Most take less than
a hundredth, and a member waits. Migrations and the commands of operators take as long as they need."""


@asynccontextmanager
async def open_store(
    url: str | None, data_dir: Path, ownership: Ownership | None = None, *, prepared: bool = False
) -> AsyncIterator[Store]:
    """Open the store at `url` (PostgreSQL or SQLite), or in a file in `data_dir`, and `prepare` it.

    Background work is listed for the shards that `ownership` says are served; without it, for everything. With
    `prepared` the caller prepares it, before the store is used.

    Raises StoreUnavailable if it cannot be reached, read or migrated.
    """
    place = address(url, data_dir)
    if not prepared:
        await prepare(url, data_dir)
    engine = make_engine(place, statement_s=STATEMENT_S)
    try:
        yield Store(Sessions(engine, ownership))
    finally:
        await engine.dispose()


@asynccontextmanager
async def open_to_read(url: str | None, data_dir: Path) -> AsyncIterator[Sessions]:
    """Open the same database only to read it, also while a bot writes to it.

    Raises StoreUnavailable if it is not there or not of this version: nothing is created or migrated.
    """
    place = _there(url, data_dir)
    engine = make_engine(place)
    if isinstance(place, File):

        @event.listens_for(engine.sync_engine, "connect")
        def connected(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
            cursor = connection.cursor()
            cursor.execute("PRAGMA query_only = ON")
            cursor.close()

    sessions = Sessions(engine)
    try:
        with explained(place):
            async with sessions.read() as session:
                await session.run_sync(lambda it: check_current(it.connection()))
        yield sessions
    finally:
        await engine.dispose()


async def existing(url: str | None, data_dir: Path) -> File | Server:
    """Return the address of the same database, of any version. Raises StoreUnavailable if it is not there."""
    place = _there(url, data_dir)
    engine = make_engine(place)
    try:
        with explained(place):
            async with engine.connect() as connection:
                if await connection.run_sync(revision) is None:
                    raise no_tables()
    finally:
        await engine.dispose()
    return place


def _there(url: str | None, data_dir: Path) -> File | Server:
    place = address(url, data_dir)
    if isinstance(place, File) and not place.path.exists():
        raise StoreUnavailable(
            f"There is no database {place.path}: start the bot once, or correct PENCILBOX_DATA_DIR or DATABASE_URL."
        )
    if isinstance(place, File):
        with explained(place):
            check_alone(place.path)
    return place


async def prepare(url: str | None, data_dir: Path) -> None:
    """Check a database, named as for `open_store`, and bring its schema up to date. Raises StoreUnavailable.

    A file and its folder are created if no database has been kept there.
    """
    place = address(url, data_dir)
    with explained(place):
        if isinstance(place, File):
            place.path.parent.mkdir(parents=True, exist_ok=True)
            await asyncio.to_thread(check_start, place.path)
        await _migrate(place)
        if isinstance(place, File):
            mark(place.path)


async def _migrate(place: File | Server) -> None:
    # On SQLite a migration may have to rebuild a table; with foreign keys on, dropping the old table would
    # delete every row that refers to it. So migrations have their own engine and check the keys at the end.
    engine = make_engine(place, foreign_keys=False)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()


def make_engine(
    place: File | Server, *, foreign_keys: bool = True, statement_s: float | None = None
) -> AsyncEngine:
    """Return an engine for the database, not connected yet. `foreign_keys` matters to SQLite only.

    A statement that takes longer than `statement_s` seconds is ended, and a PostgreSQL server that gives no sign of
    life then is cut off; None lets each take its time. Errors quote no values, since hidden moves may be among them.
    """
    if isinstance(place, Server):
        connections = None if statement_s is None else Connections(place, statement_s)

        async def connect() -> "asyncpg.Connection":
            import asyncpg  # only here: a start with SQLite does not need it

            return await asyncpg.connect(place.dsn, timeout=ANSWER_S)

        # Transactions last milliseconds, so a few connections are enough, and small servers offer few.
        # The server may have been restarted between two moves, so each connection is tested before use.
        engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=connections.connect if connections else connect,
            pool_size=5,
            max_overflow=0,
            pool_pre_ping=True,
            pool_timeout=CONNECT_S if connections else ANSWER_S,
            hide_parameters=True,
        )
        if connections:
            remember(engine.sync_engine, connections)
        return engine
    place_url = URL.create("sqlite+aiosqlite", database=str(place.path))
    limits = {LIMIT: statement_s}
    engine = create_async_engine(place_url, hide_parameters=True, execution_options=limits)
    tune(engine.sync_engine, foreign_keys=foreign_keys)
    return engine
