"""A statement that would take for ever is ended, nothing of its transaction is kept, and the next one is served.

A writer does not wait for ever for its turn.
"""

from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from db.address import address
from db.engine import make_engine
from db.sessions import Sessions
from db.values.failures import StoreFailed

pytestmark = pytest.mark.both_databases

ENDLESS = {
    "sqlite": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
    "postgresql": "SELECT pg_sleep(1000000)",
}


async def test_an_endless_statement_is_ended(store_url: str, tmp_path: Path) -> None:
    engine = make_engine(address(store_url, tmp_path), statement_s=0.2)
    sessions, endless = Sessions(engine), text(ENDLESS[engine.dialect.name])

    def at_once(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half_done (x INTEGER)"))
        connection.execute(endless)

    try:
        for _ in range(2):
            with pytest.raises(StoreFailed, match=r"SQLITE_INTERRUPT|QueryCanceled"):
                async with sessions.read() as session:
                    await session.execute(endless)
            with pytest.raises(StoreFailed, match=r"SQLITE_INTERRUPT|QueryCanceled"):
                await sessions.write_at_once(at_once)
            with pytest.raises(DBAPIError, match="half_done"):
                await sessions.read_at_once(
                    lambda connection: connection.execute(text("SELECT * FROM half_done"))
                )
            async with sessions.write() as session:
                assert await session.scalar(text("SELECT 7")) == 7
    finally:
        await engine.dispose()


async def test_the_operator_may_set_another_limit(postgres_url: str, tmp_path: Path) -> None:
    joined = "&" if "?" in postgres_url else "?"
    for url, limit in ((postgres_url, "7s"), (f"{postgres_url}{joined}statement_timeout=9000", "9s")):
        engine = make_engine(address(url, tmp_path), statement_s=7)
        async with engine.connect() as connection:
            assert await connection.scalar(text("SHOW statement_timeout")) == limit
        await engine.dispose()


async def test_a_writer_whose_turn_does_not_come_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.sessions.TURN_S", 0)
    engine = make_engine(address(None, tmp_path))
    sessions = Sessions(engine)
    try:
        async with sessions.write() as first:
            await first.execute(text("CREATE TABLE first (x INTEGER)"))
            with pytest.raises(StoreFailed, match=r"TimeoutError"):
                await sessions.write_at_once(lambda connection: connection.execute(text("SELECT 7")))
    finally:
        await engine.dispose()
