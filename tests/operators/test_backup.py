"""Backups hold everything, can be written while a bot writes, and are restored so that members can go on."""

import asyncio
import os
import sqlite3
import stat
import sys
from contextlib import closing
from datetime import timedelta
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.operators.backup import backup
from bot.operators.backup import main as backup_command
from bot.operators.check import check
from bot.operators.restore import main as restore_command
from bot.operators.restore import restore
from db.address import FILE_NAME, address
from db.api.posts import Companion, PostKind
from db.backup import postgresql
from db.engine import make_engine, open_store
from db.errors import StoreUnavailable
from db.inspection.finding import Finding
from db.migrate import newest
from db.processes.open import process_link
from tests.app.conftest import ADA, DrivenClock, Host
from tests.db.life import rows
from tests.db.migrated import lay
from tests.stored.version import unpack


async def everything(url: str, folder: Path) -> dict[str, list[tuple[object, ...]]]:
    engine = make_engine(address(url, folder))
    try:
        return await rows(engine)
    finally:
        await engine.dispose()


async def executed(url: str, folder: Path, *statements: str) -> None:
    engine = make_engine(address(url, folder), foreign_keys=False)
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()


async def test_a_backup_is_restored_and_its_games_go_on(played_url: str, tmp_path: Path) -> None:
    """All that was played after the backup is gone; no id of then is given again, and boards are posted again."""
    file = tmp_path / "backup"
    await executed(
        played_url,
        tmp_path,
        "UPDATE posts SET channel = 11, message = 100 + subject, pinned = true, shown = version,"
        " progress = (SELECT plies FROM matches WHERE id = subject) WHERE kind = 'board'",
    )
    before = await everything(played_url, tmp_path)
    async with open_store(played_url, tmp_path) as store, process_link(played_url, tmp_path) as link:
        assert await link.join()  # as a bot that serves does
        host = Host(store)
        unplayed = await host.begin("skull", "quick")
        assert await backup(played_url, tmp_path, file) == newest()
        host.clock.push(timedelta(minutes=1))
        lost = await host.begin("alaric", "quick")
        await host.services.matches.resign(9, ADA)
        with pytest.raises(StoreUnavailable, match=r"^The bot serves this database: stop it first\.$"):
            await restore(played_url, tmp_path, file)
        await host.search.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {it.name for it in tmp_path.iterdir() if "part" in it.name} == set()

    kept = await restore(played_url, tmp_path, file)
    found: list[Finding] = []
    assert (await check(played_url, tmp_path, found.append, DrivenClock().now())).matches == 10
    assert found == []
    after = await everything(played_url, tmp_path)
    for table in ("plies", "ratings", "rated_seats", "awards", "blocks"):
        assert after[table] == before[table]
    assert [row for row in after["seats"] if row[0] != unplayed.id] == before["seats"]
    async with open_store(played_url, tmp_path) as store:
        host = Host(store)
        running = {8, 9, unplayed.id}
        posts = await store.pending_posts(host.clock.now(), 100)
        assert {it.subject for it in posts if it.kind is PostKind.BOARD} == running
        assert (await host.begin("alaric", "quick")).id > lost.id + 900
        nine = await store.load(9)
        assert nine is not None
        assert nine.post is not None
        # The next board is posted below, with a mention, and then the former message is deleted.
        assert (nine.post.message, nine.post.pinned, nine.post.progress) == (None, False, len(nine.log) - 1)
        assert nine.post.companions == (Companion(11, 109),)
        await host.search.close()
    if kept is not None:
        with closing(sqlite3.connect(kept)) as connection:
            (latest,) = connection.execute("SELECT max(id) FROM matches").fetchone()
        assert latest == lost.id
    assert (kept is None) == played_url.startswith("postgresql")


async def test_a_backup_never_takes_the_place_of_a_file_unless_forced(store_url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    file.write_text("precious")
    with pytest.raises(
        StoreUnavailable, match=r"exists already: name another file, or add --force to replace it\.$"
    ):
        await backup(store_url, tmp_path, file)
    assert file.read_text() == "precious"
    await backup(store_url, tmp_path, file, replace=True)
    assert file.read_bytes()[:5] in (b"SQLit", b"PGDMP")
    with pytest.raises(StoreUnavailable, match=r"cannot be written \(No such file or directory\)"):
        await backup(store_url, tmp_path, tmp_path / "nowhere" / "backup")


async def test_a_backup_goes_through_the_standard_streams(
    played_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """As between a container and the files of its host."""
    monkeypatch.setenv("DATABASE_URL", played_url)
    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["", "-"])
    before = await everything(played_url, tmp_path)
    assert await asyncio.to_thread(backup_command) == 0
    whole, said = capfdbinary.readouterr()
    assert said.endswith(b"it is verified.\n")
    await executed(played_url, tmp_path, "DELETE FROM awards")
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(whole)))
    assert await asyncio.to_thread(restore_command) == 0
    assert b"all is well" in capfdbinary.readouterr().out
    assert (await everything(played_url, tmp_path))["awards"] == before["awards"] != []


async def test_what_is_no_whole_backup_is_refused_and_changes_nothing(
    played_url: str, tmp_path: Path
) -> None:
    before = await everything(played_url, tmp_path)
    whole, other = tmp_path / "whole", tmp_path / "other"
    await backup(played_url, tmp_path, whole)

    async def refused(says: str) -> None:
        with pytest.raises(StoreUnavailable) as met:
            await restore(played_url, tmp_path, other)
        assert says in str(met.value)
        assert str(met.value).endswith(".")
        assert "open sesame" not in str(met.value)

    await refused("cannot be read (No such file or directory)")
    other.write_text("not a database")
    await refused("is no backup of Pencilbox")
    other.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    await refused("nothing was changed" if played_url.startswith("postgresql") else "cannot be copied")
    await executed(played_url, tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    other.unlink()
    assert await backup(played_url, tmp_path, other) == "9999"
    await executed(played_url, tmp_path, f"UPDATE alembic_version SET version_num = '{newest()}'")
    await refused(f"is of version 9999, and this Pencilbox knows {newest()} at most: install the newer one")
    assert await everything(played_url, tmp_path) == before


async def test_a_backup_of_the_other_kind_of_database_is_refused(postgres_url: str, tmp_path: Path) -> None:
    file = lay(tmp_path / "other")
    with pytest.raises(
        StoreUnavailable, match="is a backup of an SQLite file: let DATABASE_URL name one of that kind"
    ):
        await restore(postgres_url, tmp_path, file)


async def test_a_backup_of_an_earlier_version_is_migrated(tmp_path: Path) -> None:
    """The games that version 0.1 stored replay to their results."""
    folder = tmp_path / "stored"
    folder.mkdir()
    unpack(folder)
    await restore(None, tmp_path, folder / FILE_NAME)
    found: list[Finding] = []
    checked = await check(None, tmp_path, found.append)
    assert (checked.matches, found) == (36, [])


async def test_the_password_is_on_no_command_line(
    store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs of the same names write their arguments down, and fail."""
    if store_url.startswith("sqlite"):
        return
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "pg_dump").write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$0 $*" "$PGPASSWORD" > {tmp_path}/said\nexit 1\n'
    )
    (programs / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    with pytest.raises(StoreUnavailable):
        await backup(f"{store_url}?sslmode=prefer&search_path=public", tmp_path, tmp_path / "backup")
    command, password = (tmp_path / "said").read_text().splitlines()
    assert password == "open sesame"
    assert "sesame" not in command
    assert command.endswith("?sslmode=prefer")


def test_without_the_programs_of_postgresql_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(postgresql, "VERSIONS", tmp_path)
    file = tmp_path / "backup"
    file.write_bytes(b"PGDMP")
    with pytest.raises(
        StoreUnavailable, match=r"^pg_restore is not installed: install PostgreSQL's client programs"
    ):
        postgresql.verify(file)
