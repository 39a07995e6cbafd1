"""One process at a time serves a database, and whichever way it ends, the next may."""

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
"""Seconds after which a connection that was cut off and is not missed fails the test."""


@pytest.fixture
def store_url(empty_url: str) -> str:
    """A turn needs no tables."""
    return empty_url


async def test_it_is_one_s_until_given_up(store_url: str, tmp_path: Path) -> None:
    async with process_lock(store_url, tmp_path) as second:
        async with process_lock(store_url, tmp_path) as first:
            assert await first.take()
            assert not await second.take()
            assert await first.take()
        assert await second.take()
        async with process_lock(store_url, tmp_path) as third:
            assert not await third.take()


@pytest.mark.parametrize("database", ["postgresql"])
async def test_a_lost_connection_is_made_anew_unless_somebody_else_was_faster(
    store_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    async def ask(what: str) -> int:
        async with engine.begin() as connection:
            return len((await connection.execute(text(f"SELECT {what} {HOLDERS}"))).all())

    async with process_lock(store_url, tmp_path) as first, process_lock(store_url, tmp_path) as second:
        assert await first.take()
        assert await ask("pg_terminate_backend(pid, 10000)") == 1
        async with asyncio.timeout(PATIENCE):
            while not await ask("pid"):
                assert await first.take()
        assert not await second.take()
        assert await ask("pg_terminate_backend(pid, 10000)") == 1
        assert await second.take()
        async with asyncio.timeout(PATIENCE):
            while await first.take():
                await asyncio.sleep(0.01)
        assert await second.take()


async def test_a_server_that_does_not_answer_gives_nobody_a_turn(tmp_path: Path) -> None:
    async with process_lock("postgresql://nobody:none@127.0.0.1:1/none", tmp_path) as turn:
        assert not await turn.take()
