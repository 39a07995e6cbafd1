"""Fixtures: a database in which members have played, on SQLite and on PostgreSQL."""

import asyncio
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from db.address import FILE_NAME
from db.engine import open_store
from tests.app.conftest import Host
from tests.db.conftest import database, store_url
from tests.db.migrated import lay
from tests.db.postgres import PostgresServer
from tests.operators.played import play_a_while

__all__ = ["database", "played_url", "store_url"]


@pytest.fixture
def own_database() -> None:
    """Tests here damage databases, so each has its own."""


@pytest.fixture
def played_url(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database in which members have played."""
    url: str = request.getfixturevalue(f"_played_on_{database}")
    return url


@pytest.fixture
def _played_on_sqlite(_played_folder: Path, tmp_path: Path) -> str:
    return f"sqlite:///{shutil.copyfile(_played_folder / FILE_NAME, tmp_path / FILE_NAME)}"


@pytest.fixture
def _played_on_postgresql(postgres_server: PostgresServer, _played_template: str) -> Iterator[str]:
    url = postgres_server.create_database(_played_template)
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(scope="session")
def _played_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file that is only copied."""
    folder = tmp_path_factory.mktemp("played")
    lay(folder)
    _play(None, folder)
    return folder


@pytest.fixture(scope="session")
def _played_template(
    postgres_server: PostgresServer, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a database that is only copied."""
    url = postgres_server.create_database(migrated_template)
    _play(url, tmp_path_factory.mktemp("played"))
    yield url
    postgres_server.drop_database(url)


def _play(url: str | None, folder: Path) -> None:
    """Let members play. This also works while an event loop runs."""

    async def play() -> None:
        async with open_store(url, folder) as store:
            host = Host(store)
            await play_a_while(host)

    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, play()).result()
