"""Backups hold everything, can be written while a bot writes, and are restored so that members can go on."""

import asyncio
import os
import shutil
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
from db.backup import postgresql
from db.engine import make_engine, open_store, open_to_read
from db.inspection import Finding
from db.migrate import newest
from db.processes.open import process_link
from db.sqlite_files import unfinished
from db.values.failures import StoreUnavailable
from db.values.posts import Companion, PostKind
from tests.app.conftest import ADA, DrivenClock, Host
from tests.db.given import match_of
from tests.db.life import rows
from tests.db.migrated import lay
from tests.stored.version import EXPECTED, unpack


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


@pytest.mark.on_postgresql
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
        posts = await store.posts.pending(host.clock.now(), 100)
        assert {it.subject for it in posts if it.kind is PostKind.BOARD} == running
        assert (await host.begin("alaric", "quick")).id > lost.id + 900
        nine = await match_of(store, 9)
        assert nine.post is not None
        # The next board is posted below, with a mention, and then the former message is deleted.
        assert (nine.post.message, nine.post.pinned, nine.post.progress) == (None, False, len(nine.log) - 1)
        assert nine.post.companions == (Companion(11, 109),)
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


NO_TARGET = (
    "pencilbox.sqlite3",
    "pencilbox.sqlite3-wal",
    "pencilbox.sqlite3-shm",
    "pencilbox.sqlite3.turn",
    "symbolic",
    "hard",
    "folder/pencilbox.sqlite3",
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(it, marks=pytest.mark.soak if number % 2 else ()) for number, it in enumerate(NO_TARGET)],
)
async def test_backup_replaces_no_database_in_use(tmp_path: Path, name: str) -> None:
    """Neither the one that is backed up, nor that of another bot, nor a file beside one."""
    file = lay(tmp_path)
    other = lay(tmp_path / "folder")
    (tmp_path / "symbolic").symlink_to(file)
    async with (
        open_store(None, tmp_path) as store,
        process_link(None, tmp_path) as link,
        open_store(None, other.parent),
    ):
        assert await link.join()
        await store.members.change(ADA, theme="paper")
        if name == "hard":
            # A second name is refused by itself; it is only there for this moment.
            os.link(file, tmp_path / "hard")
        inodes = {it: it.stat().st_ino for it in tmp_path.rglob("*")}
        with pytest.raises(StoreUnavailable, match=r"which no backup may replace|has a second name"):
            await backup(None, tmp_path, tmp_path / name, replace=True)
        assert {it: it.stat().st_ino for it in tmp_path.rglob("*")} == inodes
        (tmp_path / "hard").unlink(missing_ok=True)
        await store.members.change(ADA, theme="slate")
    async with open_store(None, tmp_path) as store:
        assert (await store.members.get(ADA)).theme == "slate"


async def test_backup_makes_no_log_beside_a_database(tmp_path: Path) -> None:
    lay(tmp_path)
    with pytest.raises(StoreUnavailable, match="which no backup may replace"):
        await backup(None, tmp_path, tmp_path / f"{FILE_NAME}-wal")


@pytest.mark.soak
async def test_backup_is_not_printed_into_the_database(tmp_path: Path) -> None:
    """As with `backup - 1<> pencilbox.sqlite3`, which does not even empty the file first."""
    file = lay(tmp_path)
    before = file.read_bytes()
    with file.open("r+b") as stream:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "backup", "-"),
            env={"PATH": os.environ["PATH"], "PENCILBOX_DATA_DIR": str(tmp_path)},
            stdout=stream,
            stderr=asyncio.subprocess.PIPE,
        )
        _, said = await process.communicate()
    assert (process.returncode, said.decode()) == (
        2,
        f"The standard output is {file}, a file of the database: name another.\n",
    )
    assert file.read_bytes() == before


@pytest.mark.soak
async def test_restore_killed_at_any_step_leaves_a_database(tmp_path: Path) -> None:
    """It is the old one or the new one, as a whole, and what is left beside it is tidied up by the next restore."""
    folder = tmp_path / "data"
    path = lay(folder)
    async with open_store(None, folder) as store:
        await store.members.change(ADA, theme="paper")
    await backup(None, folder, tmp_path / "backup")
    # The old database has a log, as after a kill.
    await stop_short(path, f"UPDATE members SET theme = 'slate' WHERE user_id = {ADA}")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.operators.killed_restore", f"sqlite:///{path}"),
        *(str(folder), str(tmp_path / "backup")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    seen: list[str] = []
    left = 0
    while (said := (await process.stdout.readline()).decode().strip()) not in ("done", "failed", ""):
        assert path.exists(), f"killed before operation {said}"
        copied = tmp_path / f"copy {said}"
        shutil.copytree(folder, copied, copy_function=keep_links)
        left += len(unfinished(copied / FILE_NAME))
        async with process_link(None, copied) as link:
            assert await link.join()
            async with open_store(None, copied) as store:
                seen.append(str((await store.members.get(ADA)).theme))
        sentences: list[str] = []
        names = [it.name for it in unfinished(copied / FILE_NAME)]
        if names:
            await restore(None, copied, tmp_path / "backup", sentences.append)
        assert [name for name in names if name not in "".join(sentences)] == []
        assert unfinished(copied / FILE_NAME) == []
        shutil.rmtree(copied)
        process.stdin.write(b"\n")
    await process.communicate()
    assert said == "done"
    assert seen == sorted(seen, reverse=True), "the old one until the new one stands there"
    assert set(seen) == {"paper", "slate"}
    assert left > 0


async def stop_short(path: Path, statement: str) -> None:
    """Change a database, and end without writing its log into the file."""
    program = (
        "import os, sqlite3, sys; it = sqlite3.connect(sys.argv[1]); it.execute('PRAGMA journal_mode = WAL');"
        "it.execute(sys.argv[2]); it.commit(); os.kill(os.getpid(), 9)"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, str(path), statement)
    await process.wait()
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


def keep_links(source: str, target: str) -> None:
    """Copy a file of a folder, but let two names of one file be so in the copy."""
    for other in Path(target).parent.iterdir():
        if os.path.samefile(source, Path(source).parent / other.name):
            os.link(other, target)
            return
    shutil.copyfile(source, target)


async def test_restore_waits_for_no_other_program(tmp_path: Path) -> None:
    """A program that has the database open would read the new file with the index of the old one."""
    path = lay(tmp_path)
    await backup(None, tmp_path, tmp_path / "backup")
    before = path.read_bytes()
    async with open_to_read(None, tmp_path) as sessions, sessions.read() as session:
        await session.execute(text("SELECT count(*) FROM matches"))
        with pytest.raises(StoreUnavailable, match=r"^Another program has .* open: wait until it has ended"):
            await restore(None, tmp_path, tmp_path / "backup")
    assert path.read_bytes() == before
    with pytest.raises(StoreUnavailable, match="is the database itself: name a backup"):
        await restore(None, tmp_path, path)
    assert await restore(None, tmp_path, tmp_path / "backup") is not None


async def test_restore_keeps_a_damaged_database_with_its_log(tmp_path: Path) -> None:
    path = lay(tmp_path)
    await backup(None, tmp_path, tmp_path / "backup")
    path.write_bytes(b"\xff" * 8192)
    path.with_name(f"{path.name}-wal").write_bytes(b"\xfe" * 4096)
    kept = await restore(None, tmp_path, tmp_path / "backup")
    assert kept is not None
    assert kept.read_bytes() == b"\xff" * 8192
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"\xfe" * 4096
    async with open_store(None, tmp_path) as store:
        assert await store.matches.running() == []


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


@pytest.mark.on_postgresql
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
    for version, says in (
        ("9999", f"is of version 9999, and this Pencilbox knows {newest()} at most: install the newer one"),
        (
            "0037",
            "is at version 0037, and this Pencilbox reads only version 0038 and later: use Pencilbox of",
        ),
    ):
        await executed(played_url, tmp_path, f"UPDATE alembic_version SET version_num = '{version}'")
        other.unlink()
        assert await backup(played_url, tmp_path, other) == version
        await executed(played_url, tmp_path, f"UPDATE alembic_version SET version_num = '{newest()}'")
        await refused(says)
    assert await everything(played_url, tmp_path) == before


async def test_a_backup_of_the_other_kind_of_database_is_refused(postgres_url: str, tmp_path: Path) -> None:
    file = lay(tmp_path / "other")
    with pytest.raises(
        StoreUnavailable, match="is a backup of an SQLite file: let DATABASE_URL name one of that kind"
    ):
        await restore(postgres_url, tmp_path, file)


@pytest.mark.soak
async def test_a_backup_of_an_earlier_version_is_migrated(tmp_path: Path) -> None:
    """The games that 50da8a01 stored replay to their results."""
    folder = tmp_path / "stored"
    folder.mkdir()
    unpack(folder)
    await restore(None, tmp_path, folder / FILE_NAME)
    found: list[Finding] = []
    checked = await check(None, tmp_path, found.append)
    assert (checked.matches, found) == (len(EXPECTED["matches"]), [])


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
