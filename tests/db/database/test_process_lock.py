"""Only one process at a time has the lock; when it ends in any way, the next one gets it."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from db.process_lock import process_lock

HOLDERS = (
    "FROM pg_locks WHERE locktype = 'advisory' AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
PATIENCE = 30.0
"""Seconds after which the test fails if a lost connection was not noticed."""


@pytest.fixture
def store_url(empty_url: str) -> str:
    """The lock needs no tables."""
    return empty_url


async def test_the_lock_is_held_until_it_is_released(store_url: str, tmp_path: Path) -> None:
    async with process_lock(store_url, tmp_path) as second:
        async with process_lock(store_url, tmp_path) as first:
            assert await first.acquire()
            assert not await second.acquire()
            assert await first.acquire()
        assert await second.acquire()
        async with process_lock(store_url, tmp_path) as third:
            assert not await third.acquire()


@pytest.mark.parametrize("database", ["postgresql"])
async def test_a_lost_connection_is_replaced_unless_another_process_was_faster(
    store_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    async def ask(what: str) -> int:
        async with engine.begin() as connection:
            return len((await connection.execute(text(f"SELECT {what} {HOLDERS}"))).all())

    async with process_lock(store_url, tmp_path) as first, process_lock(store_url, tmp_path) as second:
        assert await first.acquire()
        assert await ask("pg_terminate_backend(pid, 10000)") == 1
        async with asyncio.timeout(PATIENCE):
            while not await ask("pid"):
                assert await first.acquire()
        assert not await second.acquire()
        assert await ask("pg_terminate_backend(pid, 10000)") == 1
        assert await second.acquire()
        async with asyncio.timeout(PATIENCE):
            while await first.acquire():
                await asyncio.sleep(0.01)
        assert await second.acquire()


async def test_nobody_gets_the_lock_of_a_server_that_does_not_answer(tmp_path: Path) -> None:
    async with process_lock("postgresql://nobody:none@127.0.0.1:1/none", tmp_path) as turn:
        assert not await turn.acquire()
