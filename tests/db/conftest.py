"""Every test of the store runs on both databases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.engine import make_engine, open_store
from db.store import SqlStore
from tests.db.migrated import lay


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The kind of database: each test runs on both."""
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
    url: str = request.getfixturevalue("migrated_url")
    return url


@pytest.fixture
async def store(store_url: str, tmp_path: Path) -> AsyncIterator[SqlStore]:
    async with open_store(store_url, tmp_path) as opened:
        yield opened


@pytest.fixture
async def engine(store_url: str, tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """A look at the database past the store."""
    made = make_engine(address(store_url, tmp_path))
    yield made
    await made.dispose()
