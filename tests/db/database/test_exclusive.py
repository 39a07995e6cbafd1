"""A command that must have a database alone has it, and gives it up in the end."""

from pathlib import Path

import pytest

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
