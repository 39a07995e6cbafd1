import sqlite3
import threading
from contextvars import ContextVar
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import File
from db.engine import make_engine, open_store
from db.models import MatchRow, PlyRow
from db.sessions import Sessions
from db.store import Store
from db.values.matches import NewEntry
from tests.db.given import FIRST, NOW, match_of, started

pytestmark = pytest.mark.both_databases

WAIT_MS = 60_000


async def test_a_read_sees_one_moment(store: Store, engine: AsyncEngine) -> None:
    match = (await started(store)).id
    async with Sessions(engine).read() as session:
        assert await session.scalar(select(MatchRow.plies)) == 0
        await store.matches.append(match, 0, NewEntry(FIRST, NOW))
        assert await session.scalar(select(func.count()).select_from(PlyRow)) == 0
    found = await match_of(store, match)
    assert found.log == (FIRST,)


async def test_transactions_run_in_the_context_of_the_task(engine: AsyncEngine) -> None:
    """So log lines of the threads in which SQLite runs carry the id of the interaction, too."""
    found: ContextVar[str] = ContextVar("found")
    found.set("7f3a2c")
    sessions = Sessions(engine)
    for run in (sessions.read_at_once, sessions.write_at_once):
        assert await run(lambda _: found.get()) == "7f3a2c"


async def test_a_write_that_fails_leaves_no_trace(store: Store, engine: AsyncEngine) -> None:
    match = await started(store)
    with pytest.raises(ZeroDivisionError):
        async with Sessions(engine).write() as session:
            session.add(PlyRow(match_id=match.id, ply=0, seat=0, text="a1", played_at=NOW))
            await session.flush()
            raise ZeroDivisionError
    assert await store.matches.load(match.id) == match


async def test_two_plies_never_have_one_number(store: Store, engine: AsyncEngine) -> None:
    """The primary key prevents it, even if all other checks fail."""
    match = await started(store)
    with pytest.raises(DBAPIError):
        async with Sessions(engine).write() as session:
            for text in ("a1", "b2"):
                ply = {"match_id": match.id, "ply": 0, "seat": 0, "text": text, "played_at": NOW}
                await session.execute(insert(PlyRow), ply)
    assert await store.matches.load(match.id) == match


async def test_the_settings_that_keep_what_was_confirmed(durable: None, tmp_path: Path) -> None:
    engine = make_engine(File(tmp_path / "store.sqlite3"))
    async with engine.begin() as connection:
        settings = {
            name: (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete")
        }
    await engine.dispose()
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5000,
        "secure_delete": 1,
    }


async def test_connections_are_replaced_after_a_restart_of_the_server(
    postgres_url: str, tmp_path: Path
) -> None:
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    async with open_store(postgres_url, tmp_path) as store:
        match = await started(store)
        operator = await asyncpg.connect(postgres_url)
        assert await operator.fetch(f"SELECT pg_terminate_backend(pid, {WAIT_MS}) {others}")
        assert await operator.fetchval(f"SELECT count(*) {others}") == 0
        await operator.close()
        assert await store.matches.load(match.id) == match
        await store.matches.append(match.id, 0, NewEntry(FIRST, NOW))


@pytest.mark.soak
async def test_a_new_file_that_another_process_writes_to_is_waited_for(tmp_path: Path) -> None:
    """SQLite itself does not wait before it changes how a file is written."""
    other = sqlite3.connect(tmp_path / "pencilbox.sqlite3", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    ending = threading.Timer(0.2, other.execute, ("ROLLBACK",))
    ending.start()
    async with open_store(None, tmp_path) as store:
        assert await store.matches.running() == []
    ending.join()
    other.close()
