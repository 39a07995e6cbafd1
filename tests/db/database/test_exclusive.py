"""A command that must have a database alone has it, and gives it up in the end."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from db.engine import open_store
from db.processes.open import exclusively, process_link
from db.values.failures import StoreUnavailable
from tests.db.migrated import lay

pytestmark = pytest.mark.both_databases

SERVED = r"^The bot serves this database: stop it first\.$"


async def test_a_database_is_had_alone_until_the_end(empty_url: str, tmp_path: Path) -> None:
    async with process_link(empty_url, tmp_path) as link:
        async with exclusively(empty_url, tmp_path):
            assert not await link.join()
            with pytest.raises(StoreUnavailable, match=SERVED):
                async with exclusively(empty_url, tmp_path):
                    pass
        assert await link.join()
        with pytest.raises(StoreUnavailable, match=SERVED):
            async with exclusively(empty_url, tmp_path):
                pass
        await link.leave()
        async with exclusively(empty_url, tmp_path):
            pass


@pytest.mark.parametrize(
    "name", ["link/pencilbox.sqlite3", "link.sqlite3", "link/../data/./pencilbox.sqlite3"]
)
async def test_every_path_to_a_database_leads_to_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = lay(tmp_path / "data")
    (tmp_path / "link").symlink_to("data")
    (tmp_path / "link.sqlite3").symlink_to(file)
    monkeypatch.chdir(tmp_path)
    async with process_link(f"sqlite:///{file}", tmp_path) as link:
        assert await link.join()
        for url in (f"sqlite:///{name}", f"sqlite:///{tmp_path}/{name}"):
            with pytest.raises(StoreUnavailable, match=SERVED):
                async with exclusively(url, tmp_path):
                    pass


async def test_a_server_that_does_not_answer_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"^No PostgreSQL answers at 127\.0\.0\.1:1"):
        async with exclusively("postgresql://nobody:none@127.0.0.1:1/none", tmp_path):
            pass


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        async with exclusively(None, tmp_path / "file" / "data"):
            pass


async def test_store_opened_twice_in_a_process_loses_nothing(tmp_path: Path) -> None:
    """Another process that ends does not delete the log which the first of two stores goes on to write."""
    file = lay(tmp_path)
    query = "SELECT guild_id FROM guilds ORDER BY 1"
    read = f"import sqlite3; at = sqlite3.connect({str(file)!r}); print(at.execute({query!r}).fetchall()); at.close()"

    async def read_elsewhere() -> str:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", read, stdout=subprocess.PIPE)
        said, _ = await process.communicate()
        return said.decode().strip()

    async with open_store(None, tmp_path) as store:
        await store.servers.change(1, pins=True)
        async with open_store(None, tmp_path) as second:
            assert await second.servers.known() == [1]
        assert await read_elsewhere() == "[(1,)]"
        await store.servers.change(2, pins=True)
        assert await read_elsewhere() == "[(1,), (2,)]"
