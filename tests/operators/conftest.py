"""Fixtures: a database in which members have played, on SQLite and on PostgreSQL."""

from pathlib import Path

import pytest

from db.engine import open_store
from tests.app.conftest import Host
from tests.db.conftest import database, store_url
from tests.operators.played import play_a_while

__all__ = ["database", "played_url", "store_url"]


@pytest.fixture
async def played_url(store_url: str, tmp_path: Path, own_database: None) -> str:
    """The address of a database in which members have played."""
    async with open_store(store_url, tmp_path) as store:
        host = Host(store)
        await play_a_while(host)
        await host.search.close()
    return store_url


@pytest.fixture
def own_database() -> None:
    """Tests here damage databases, so each has its own."""
