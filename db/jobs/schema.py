"""The PostgreSQL schema of the jobs, beside that of the games: tables of procrastinate, and the searches themselves.

What is in it lives for seconds: a search that is lost is asked for again. So it is dropped and made again whenever a
version of procrastinate brings other tables, and nothing of it need be kept in a backup."""

import logging
from importlib.metadata import version
from typing import Any

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.schema import SchemaManager
from psycopg import sql

from db.address import Server
from db.migrate import check_not_too_old
from db.values.failures import StoreUnavailable

SCHEMA = "jobs"
LOCK = 0x6A6F6273  # "jobs": a number that no other program locks
ASKERS = (
    0x61736B73  # "asks": with an asker's number, the lock that they hold for as long as they wait for answers
)

SEARCHES = """
CREATE SEQUENCE askers AS integer CYCLE;
CREATE TABLE searches (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    asker integer NOT NULL,
    question text NOT NULL,
    answer text
);
CREATE INDEX searches_of_askers ON searches (asker);
CREATE FUNCTION is_there(asker integer) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2 AND classid = {askers} AND objid = asker::oid
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
$$;
CREATE TABLE made_by (version text NOT NULL);
"""


async def connect(place: Server) -> psycopg.AsyncConnection:
    """Return a connection of its own that finds the tables of the jobs. Raises psycopg.Error."""
    connection = await psycopg.AsyncConnection.connect(place.dsn, autocommit=True, **ALIVE)
    await configure(connection)
    return connection


ALIVE: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
"""Settings of libpq with which the end of a machine is noticed in less than a minute."""


async def configure(connection: psycopg.AsyncConnection) -> None:
    """Let a connection find the tables of the jobs."""
    await connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(SCHEMA)))
    if not connection.autocommit:
        await connection.commit()


async def prepare(place: Server) -> None:
    """Make the schema unless it is there as this version needs it.

    Raises StoreUnavailable, also for a database of games that is too old for the bots that would ask.
    """
    try:
        async with await psycopg.AsyncConnection.connect(place.dsn, **ALIVE) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            check_not_too_old(await _value(connection, "alembic_version", "version_num"))
            if await _value(connection, f"{SCHEMA}.made_by", "version") != version("procrastinate"):
                await _make(connection)
    except psycopg.errors.InsufficientPrivilege:
        raise StoreUnavailable(
            f"The user {place.user} may not create the schema {SCHEMA} in the database {place.database}: "
            "make it the owner of the database."
        ) from None
    except psycopg.Error as error:
        # The text of the error may quote a part of the address.
        raise StoreUnavailable(
            f"The jobs of PostgreSQL at {place.host} cannot be used ({type(error).__name__}): "
            "correct DATABASE_URL, or set PENCILBOX_SEARCH=here."
        ) from None


async def _value(connection: psycopg.AsyncConnection, table: str, column: str) -> str | None:
    """Return the value in a table that has one row; None if the table is missing or empty."""
    found = await (await connection.execute("SELECT to_regclass(%s)", (table,))).fetchone()
    if found is None or found[0] is None:
        return None
    names = sql.Identifier(column), sql.Identifier(*table.split("."))
    row = await (await connection.execute(sql.SQL("SELECT {} FROM {}").format(*names))).fetchone()
    return None if row is None else str(row[0])


async def _make(connection: psycopg.AsyncConnection) -> None:
    name = sql.Identifier(SCHEMA)
    await connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(name))
    await connection.execute(sql.SQL("CREATE SCHEMA {}").format(name))
    await connection.execute(sql.SQL("SET LOCAL search_path TO {}").format(name))
    await connection.execute(SchemaManager.get_schema())
    await connection.execute(sql.SQL(SEARCHES).format(askers=sql.Literal(ASKERS)))
    await connection.execute("INSERT INTO made_by VALUES (%s)", (version("procrastinate"),))


MOVES, MOMENTS = "moves", "moments"
"""The queues: searches that somebody waits for, and those for puzzles, which are done when there is nothing else."""
TASK = "search"
"""The task: its only argument `search` is the id of a row of `searches`."""


def application(place: Server, connections: int) -> App:
    """Return an application with so many connections at most, not open yet."""
    # At the level info procrastinate logs each job.
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    return App(
        connector=PsycopgConnector(
            conninfo=place.dsn,
            min_size=1,
            max_size=connections,
            kwargs=ALIVE,
            configure=configure,
        )
    )
