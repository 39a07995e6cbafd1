"""For each error at the start the operator reads one sentence, without the password."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import traceback
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from db.address import File, Server, address
from db.engine import make_engine, open_store, open_to_read, prepare
from db.jobs.schema import prepare as prepare_jobs
from db.startup_errors import explained
from db.values.failures import StoreUnavailable
from db.values.matches import NewEntry
from rules.core.match import Ply
from tests.db.given import ANNA, BERT, NOW, started
from tests.db.migrated import lay

SECRET = "s3cr3t"


@pytest.fixture
def store_url(empty_url: str) -> str:
    """Databases without tables."""
    return empty_url


async def refusal(url: str | None, data_dir: Path) -> str:
    """Return the sentence of the error at the opening of the store."""
    with pytest.raises(StoreUnavailable) as met:
        async with open_store(url, data_dir):
            pass
    sentence = str(met.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert SECRET not in "".join(traceback.format_exception(met.value))
    return sentence


def test_without_an_address_it_is_a_file_in_the_data_folder(tmp_path: Path) -> None:
    for nothing in (None, ""):
        assert address(nothing, tmp_path) == File(tmp_path / "pencilbox.sqlite3")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg", "POSTGRESQL+psycopg2"])
def test_postgresql_may_be_written_in_the_usual_ways(scheme: str, tmp_path: Path) -> None:
    found = address(f"{scheme}://bob:{SECRET}@db.example:6543/games?sslmode=require", tmp_path)
    assert isinstance(found, Server)
    assert found.dsn == f"postgresql://bob:{SECRET}@db.example:6543/games?sslmode=require"
    assert (found.host, found.user, found.database) == ("db.example:6543", "bob", "games")
    assert SECRET not in repr(found)


def test_an_ipv6_address_is_told_from_its_port(tmp_path: Path) -> None:
    found = address("postgresql://[::1]:6543/games", tmp_path)
    assert isinstance(found, Server)
    assert found.host == "[::1]:6543"


@pytest.mark.parametrize("file", ["sqlite:////var/lib/box.db", "sqlite+aiosqlite:////var/lib/box.db"])
def test_a_file_may_be_named(file: str, tmp_path: Path) -> None:
    assert address(file, tmp_path) == File(Path("/var/lib/box.db"))


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("games", "DATABASE_URL is not an address; write it as postgresql://"),
        (f"mysql://bob:{SECRET}@localhost/games", "begins with mysql://, which is not a PostgreSQL address"),
        ("sqlite://", "an SQLite database in memory"),
        ("sqlite:///:memory:", "an SQLite database in memory"),
        (f"postgresql://bob:{SECRET}#1@localhost/games", "percent-encoded"),
        (f"postgresql://bob:{SECRET}/1@localhost/games", "percent-encoded"),
        (f"postgresql://bob:12/{SECRET}@localhost/games", "percent-encoded"),
        (f"postgresql://bob:12#{SECRET}@localhost/games", "percent-encoded"),
        (f"postgresql://bob:12?{SECRET}@localhost/games", "percent-encoded"),
        (f"postgresql://bob:[{SECRET}@localhost/games", "percent-encoded"),
        (f"postgresql://bob:{SECRET}@localhost:fifty/games", "percent-encoded"),
    ],
)
async def test_an_address_that_cannot_be_read(url: str, says: str, tmp_path: Path) -> None:
    assert says in await refusal(url, tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_nobody_listens(tmp_path: Path) -> None:
    with socket.socket() as taken:  # bound and never listening, so that connections are refused
        taken.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        sentence = await refusal(f"postgresql://bob:{SECRET}@{host}/games", tmp_path)
    assert sentence == f"No PostgreSQL answers at {host}: start it, or correct the host in DATABASE_URL."


async def test_a_host_that_does_not_exist(tmp_path: Path) -> None:
    sentence = await refusal(f"postgresql://bob:{SECRET}@nowhere.invalid/games", tmp_path)
    assert sentence.startswith("No PostgreSQL answers at nowhere.invalid:5432: ")


async def test_a_wrong_password(postgres_url: str, tmp_path: Path) -> None:
    parts = urlsplit(postgres_url)
    url = parts._replace(netloc=f"{parts.username}:{SECRET}@{parts.hostname}:{parts.port}").geturl()
    try:
        await (await asyncpg.connect(url)).close()
        pytest.skip("The server at TEST_DATABASE_URL lets everybody in.")  # it never refuses a password
    except asyncpg.InvalidPasswordError:
        sentence = await refusal(url, tmp_path)
    assert sentence.endswith(
        f"refuses the login of {parts.username}: check the user and the password in DATABASE_URL."
    )


async def test_a_database_that_does_not_exist(postgres_url: str, tmp_path: Path) -> None:
    sentence = await refusal(urlsplit(postgres_url)._replace(path="/atlantis").geturl(), tmp_path)
    assert "has no database atlantis: create it" in sentence


@pytest.mark.parametrize("setting", ["sslmode=perhaps", "colour=blue"])
async def test_a_setting_that_does_not_exist(setting: str, postgres_url: str, tmp_path: Path) -> None:
    assert "wrong or unknown setting after its question mark" in await refusal(
        f"{postgres_url}?{setting}", tmp_path
    )


@pytest.mark.parametrize("setting", ["host=/not/there", "sslmode=verify-full&sslrootcert=/not/there"])
async def test_a_file_that_is_not_there(setting: str, tmp_path: Path) -> None:
    sentence = await refusal(f"postgresql:///games?user=bob&password={SECRET}&{setting}", tmp_path)
    assert "names a file or socket that cannot be opened" in sentence


async def test_a_server_without_tls(postgres_url: str, tmp_path: Path) -> None:
    connection = await asyncpg.connect(postgres_url)
    encrypted = await connection.fetchval("SHOW ssl")
    await connection.close()
    if encrypted == "on":
        pytest.skip("The server at TEST_DATABASE_URL has TLS.")  # it never refuses sslmode=require
    sentence = await refusal(f"{postgres_url}?sslmode=require", tmp_path)
    assert "does not offer TLS: remove sslmode" in sentence


async def test_a_user_who_may_not_make_tables(postgres_url: str, tmp_path: Path) -> None:
    parts = urlsplit(postgres_url)
    guest = parts.path[1:].replace("test", "guest")
    owner = await asyncpg.connect(postgres_url)
    try:
        await owner.execute(f"CREATE ROLE {guest} LOGIN PASSWORD '{SECRET}'")
        await owner.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        url = parts._replace(netloc=f"{guest}:{SECRET}@{parts.hostname}:{parts.port}").geturl()
        assert f"The user {guest} may not create tables" in await refusal(url, tmp_path)
    finally:
        await owner.execute(f"DROP ROLE {guest}")
        await owner.close()


@pytest.mark.both_databases
async def test_a_database_of_another_program(store_url: str, tmp_path: Path) -> None:
    engine = make_engine(address(store_url, tmp_path))
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE matches (fire integer)"))
    await engine.dispose()
    assert "holds another program's tables" in await refusal(store_url, tmp_path)


async def test_a_database_of_a_newer_pencilbox(tmp_path: Path) -> None:
    store_url = f"sqlite:///{lay(tmp_path)}"
    engine = make_engine(address(store_url, tmp_path))
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await engine.dispose()
    sentence = await refusal(store_url, tmp_path)
    assert "is at version 9999, which this Pencilbox does not know: start the newer Pencilbox" in sentence


@pytest.mark.on_postgresql
async def test_database_too_old_to_be_migrated(store_url: str, tmp_path: Path) -> None:
    """The bot, commands that only read, and workers say in one sentence which commit migrates the database."""
    await prepare(store_url, tmp_path)
    engine = make_engine(address(store_url, tmp_path))
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0037'"))
    await engine.dispose()
    sentence = (
        "The database is at version 0037, and this Pencilbox reads only version 0038 and later: "
        "use Pencilbox of commit 50da8a01 once, which brings it to 0038, and then this one."
    )
    assert await refusal(store_url, tmp_path) == sentence
    with pytest.raises(StoreUnavailable, match=sentence):
        async with open_to_read(store_url, tmp_path):
            pass
    if isinstance(place := address(store_url, tmp_path), Server):
        with pytest.raises(StoreUnavailable, match=sentence):
            await prepare_jobs(place)


async def test_the_folder_is_made_whatever_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "what? 100%20 #1" / "games"
    async with open_store(None, folder):
        assert (folder / "pencilbox.sqlite3").is_file()


async def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "must be writable" in await refusal(None, tmp_path / "file")
    assert "must be writable" in await refusal(None, tmp_path / "file" / "deeper")


async def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    (tmp_path / "pencilbox.sqlite3").mkdir()
    assert f"The database file {tmp_path}/pencilbox.sqlite3 cannot be used" in await refusal(None, tmp_path)


async def test_a_file_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "pencilbox.sqlite3").write_text("Dear diary, " * 100)
    sentence = await refusal(None, tmp_path)
    assert sentence.endswith(
        "is not an SQLite database: move it away, or let DATABASE_URL name another file."
    )


async def test_a_damaged_file(tmp_path: Path) -> None:
    path = lay(tmp_path)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    sentence = await refusal(None, tmp_path)
    assert sentence == f"{path} is damaged: give python -m bot restore a backup from before the damage."


def files(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files but the index of a log, which SQLite makes again."""
    return {it.name: it.read_bytes() for it in folder.iterdir() if not it.name.endswith("-shm")}


async def test_missing_database_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    for left in ("pencilbox.sqlite3.begun", "pencilbox.sqlite3-wal", "pencilbox.sqlite3.before-1"):
        (tmp_path / left).touch()
        sentence = await refusal(None, tmp_path)
        assert (
            f"{tmp_path}/pencilbox.sqlite3 is missing, and games have been kept there: put it back"
            in sentence
        )
        assert sentence.endswith(f"to begin with an empty database, move these files away: {left}.")
        assert set(files(tmp_path)) == {left}
        (tmp_path / left).unlink()


async def test_emptied_database_is_not_filled_with_tables(tmp_path: Path) -> None:
    async with open_store(f"sqlite:///{lay(tmp_path)}", tmp_path):
        pass
    (tmp_path / "pencilbox.sqlite3").write_bytes(b"")
    assert "is empty, and games have been kept there" in await refusal(None, tmp_path)
    assert (tmp_path / "pencilbox.sqlite3").read_bytes() == b""


async def test_link_to_a_disk_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pencilbox.sqlite3").symlink_to(tmp_path / "disk" / "box.sqlite3")
    assert "which is not there: mount the disk that holds it" in await refusal(None, tmp_path)
    assert not (tmp_path / "disk").exists()


async def test_second_name_of_a_database_is_refused(tmp_path: Path) -> None:
    """SQLite keeps a log for each name, and two programs would not know of each other."""
    path = lay(tmp_path)
    (tmp_path / "second").hardlink_to(path)
    for name in (path, tmp_path / "second"):
        assert "has a second name (a hard link)" in await refusal(f"sqlite:///{name}", tmp_path)


@pytest.mark.parametrize("journal", [pytest.param("delete", marks=pytest.mark.soak), "wal"])
async def test_file_replaced_under_its_log_is_refused(tmp_path: Path, journal: str) -> None:
    """As an earlier `backup --force` did to the live database: the log of the old file was applied to the new one."""
    path = lay(tmp_path)
    async with open_store(None, tmp_path) as store:
        match = await started(store, (ANNA, BERT))
        copy = tmp_path / "copy"
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as made:
            source.backup(made)
            made.execute(f"PRAGMA journal_mode = {journal}")
        for ply in range(400):
            await store.matches.append(match.id, ply, NewEntry(Ply(ply % 2, "a1"), NOW))
            if ply == 380:
                with closing(sqlite3.connect(path)) as other:
                    other.execute("PRAGMA wal_checkpoint(RESTART)")
        killed = tmp_path / "killed"
        killed.mkdir()
        shutil.copyfile(copy, killed / path.name)
        shutil.copyfile(f"{path}-wal", killed / f"{path.name}-wal")
    before = files(killed)
    sentence = await refusal(None, killed)
    if journal == "delete":
        assert "was replaced while pencilbox.sqlite3-wal of the file before it was still there" in sentence
    else:
        assert "pencilbox.sqlite3 is damaged" in sentence
    assert files(killed) == before, "nothing of the log is written into the file"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("DELETE FROM plies WHERE ply = 1", "moves of game 1 are missing"),
        ("DELETE FROM plies WHERE ply = 0", "moves of game 1 are missing"),
        ("DELETE FROM matches", "a row of its table"),
        ("DROP TABLE consents", "its table consents is missing"),
        (
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'ix_posts_pending_due_at'",
            "never used",
        ),
    ],
)
async def test_database_that_is_not_whole_is_refused(tmp_path: Path, damage: str, says: str) -> None:
    path = lay(tmp_path)
    async with open_store(None, tmp_path) as store:
        match = await started(store, (ANNA, BERT))
        for ply in range(2):
            await store.matches.append(match.id, ply, NewEntry(Ply(ply, "a1"), NOW))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(damage)
        connection.commit()
    assert says in await refusal(None, tmp_path)


async def test_check_at_a_start_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large database is served although not every page was read; a line of the log says so."""
    lay(tmp_path)
    monkeypatch.setattr("db.sqlite_files.CHECK_S", -1.0)
    monkeypatch.setattr("db.sqlite_files._STEPS", 1)
    with capture_logs() as logged:
        async with open_store(None, tmp_path):
            pass
    assert [it["event"] for it in logged] == ["database.check_cut_short"]


@pytest.mark.soak
def test_a_read_only_file(tmp_path: Path) -> None:
    file = lay(tmp_path)
    file.chmod(0o444)
    # The right to write what is read-only is what makes root another user than all others.
    weak = ["setpriv", "--bounding-set=-dac_override"] if os.getuid() == 0 else []
    command = [*weak, sys.executable, "-m", "bot", "prove"]
    env = {**os.environ, "PENCILBOX_DATA_DIR": str(tmp_path), "DATABASE_URL": ""}
    ended = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"{file} is read-only: make it and its folder writable")
    assert ended.stderr.count("\n") == 1


async def test_a_full_disk(tmp_path: Path) -> None:
    place = File(tmp_path / "box.sqlite3")
    engine = make_engine(place)
    with pytest.raises(StoreUnavailable, match="is full: make room there and start again"), explained(place):
        async with engine.connect() as connection:
            await connection.execute(text("PRAGMA max_page_count = 2"))  # as much as the disk holds
            await connection.execute(text("CREATE TABLE boxes (content BLOB)"))
            await connection.execute(text("INSERT INTO boxes VALUES (zeroblob(1000000))"))
    await engine.dispose()
