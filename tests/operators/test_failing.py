"""A command whose database fails in the middle ends with one sentence and exit status 2."""

import sqlite3
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest

from bot.app.awards import Awards
from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from db.address import FILE_NAME
from db.engine import open_store
from tests.app.conftest import ADA, Host
from tests.db.migrated import lay


async def prove_while_locked(_: Namespace, config: Config) -> int:
    """Award achievements again while another program has locked the file."""
    async with open_store(config.database, config.data_dir) as store:
        host = Host(store)
        await host.services.matches.resign((await host.begin("skull")).id, ADA)
        with closing(sqlite3.connect(config.data_dir / FILE_NAME, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            return await Awards(store).rebuild()


def test_a_locked_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("db.sqlite.BUSY_MS", 10)
    lay(tmp_path)
    monkeypatch.setattr("sys.argv", ["prove"])
    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "")
    assert run(Arguments("prove"), prove_while_locked) == 2
    said = capsys.readouterr().err
    assert said.startswith("The database failed in the middle (SQLITE_BUSY): ")
    assert said.count("\n") == 1
