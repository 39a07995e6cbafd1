"""Fixtures: tests of the store run on SQLite, and on PostgreSQL in `make soak`, unless they are marked.

Both databases get the same statements, except where dialects or types differ; tests of those are marked
`both_databases`. Tests of races and locks are marked `on_postgresql`, since many processes serve only that database.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.engine import make_engine, open_store
from db.store import Store
from tests.db.compiled import in_loop
from tests.db.migrated import lay


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The kind of database."""
    kind: str = request.param
    return kind


@pytest.fixture
def empty_url(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without any tables."""
    if database == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite3'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def store_url(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with empty tables."""
    if database == "sqlite":
        return f"sqlite:///{lay(tmp_path)}"
    own = "own_database" in request.fixturenames
    url: str = request.getfixturevalue("own_migrated_url" if own else "migrated_url")
    return url


@pytest.fixture
def own_database() -> None:
    """Request this in tests that change the tables, or fill them: other tests then do not use their database."""


@pytest.fixture(autouse=True)
def _in_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    with in_loop(request):
        yield


@pytest.fixture
async def store(store_url: str, tmp_path: Path) -> AsyncIterator[Store]:
    async with open_store(store_url, tmp_path, prepared=True) as opened:
        yield opened


@pytest.fixture
async def stores(threads: None, store_url: str, tmp_path: Path) -> AsyncIterator[tuple[Store, Store]]:
    """The same database opened twice, as by two processes: they share no lock in Python."""
    async with (
        open_store(store_url, tmp_path, prepared=True) as one,
        open_store(store_url, tmp_path, prepared=True) as other,
    ):
        yield one, other


@pytest.fixture
async def engine(store_url: str, tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """An engine for the database of the store."""
    made = make_engine(address(store_url, tmp_path))
    yield made
    await made.dispose()
