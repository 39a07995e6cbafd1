"""A pytest plugin: a PostgreSQL server of our own for the session, and a fresh database for each test.

The server is the one at TEST_DATABASE_URL (its user must be allowed to create databases), or one that is started
here in a temporary folder. Where neither is to be had, tests that need it are skipped; with CI set, they fail.
"""

import asyncio
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from tests.db.migrated import migrate

USER = "pencilbox"
PASSWORD = "open sesame"
MISSING = (
    "PostgreSQL is not installed: install the package postgresql, or let TEST_DATABASE_URL name a server on which "
    "databases may be created."
)


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server. `url` leads to a database that may be connected to in order to make others."""

    url: str

    def create_database(self, like: str = "") -> str:
        """The address of a new database: empty, or a copy of the one at `like`, to which nobody is connected."""
        name = f"pencilbox_test_{secrets.token_hex(6)}"
        model = f" TEMPLATE {urlsplit(like).path[1:]}" if like else ""
        self._execute(f"CREATE DATABASE {name}{model}")
        return self.database(name)

    def empty_database(self, name: str) -> str:
        """The address of a database of this name, which begins anew if there is one."""
        self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._execute(f"CREATE DATABASE {name}")
        return self.database(name)

    def database(self, name: str) -> str:
        """The address of a database of this name."""
        return urlsplit(self.url)._replace(path=f"/{name}").geturl()

    def drop_database(self, url: str) -> None:
        """Remove a database that `create_database` made, whoever is still connected to it."""
        self._execute(f"DROP DATABASE {urlsplit(url).path[1:]} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        async def execute() -> None:
            connection = await asyncpg.connect(self.url)
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        # With a loop factory, Runner leaves the current event loop of the thread to pytest-asyncio.
        with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
            runner.run(execute())


@contextmanager
def server(keep: Path | None = None) -> Iterator[PostgresServer | None]:
    """The server that there is, or one of our own meanwhile; None where neither is to be had.

    Ours leaves nothing behind, but with `keep` it has its data in this folder, and finds them there again.
    """
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield PostgresServer(url)
    elif (binaries := find_binaries()) is not None:
        with cluster(binaries, keep) as started:
            yield started
    else:
        yield None


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for the whole session."""
    with server() as found:
        if found is not None:
            yield found
        elif os.environ.get("CI"):
            pytest.fail(MISSING)
        else:
            pytest.skip(MISSING)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a fresh, empty database; it is gone after the test."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(scope="session")
def _migrated_once(
    postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    url = postgres_server.create_database()
    migrate(url, tmp_path_factory.mktemp("migrated"))
    yield url
    postgres_server.drop_database(url)


@pytest.fixture
def migrated_url(postgres_server: PostgresServer, _migrated_once: str) -> Iterator[str]:
    """The address of a fresh database with empty tables; it is gone after the test."""
    url = postgres_server.create_database(like=_migrated_once)
    yield url
    postgres_server.drop_database(url)


def find_binaries() -> Path | None:
    """The folder with initdb and pg_ctl: on PATH, or the newest where Debian puts them, outside of PATH."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(versions, key=lambda initdb: int(initdb.parts[-3]), default=None)
    return newest.parent if newest else None


@contextmanager
def cluster(binaries: Path, keep: Path | None = None) -> Iterator[PostgresServer]:
    """A server on a free port of the loopback interface, in a temporary folder or in one to `keep`."""
    user = _unprivileged()
    # Not below pytest's own temporary folder: others may not pass through it, and the server may be another.
    folder = Path(tempfile.mkdtemp(prefix="pencilbox-postgres-")) if keep is None else keep
    data = folder / "data"
    try:
        if not data.exists():
            _make(binaries, user, folder, data)
        port = _free_port()
        with (data / "postgresql.conf").open("a") as settings:
            settings.write(f"port = {port}\n")
        control = (binaries / "pg_ctl", "--pgdata", data, "--wait", "--silent")
        _run(user, *control, "--log", folder / "log", "start")
        try:
            password_in_url = PASSWORD.replace(" ", "%20")
            yield PostgresServer(f"postgresql://{USER}:{password_in_url}@127.0.0.1:{port}/postgres")
        finally:
            _run(user, *control, "--mode", "immediate" if keep is None else "fast", "stop")
    finally:
        if keep is None:
            shutil.rmtree(folder)


def _make(binaries: Path, user: pwd.struct_passwd | None, folder: Path, data: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    password = folder / "password"
    password.write_text(PASSWORD)
    password.chmod(0o644)
    _run(
        user,
        binaries / "initdb",
        *("--pgdata", data, "--username", USER, "--pwfile", password, "--auth", "scram-sha-256"),
        *("--encoding", "UTF8", "--no-locale", "--no-sync"),
    )
    with (data / "postgresql.conf").open("a") as settings:
        settings.write(
            "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
            # Nothing here outlives the machine's next stop, so nothing waits for the disk.
            "fsync = off\nfull_page_writes = off\nsynchronous_commit = off\n"
        )


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom to run the server as: it refuses to run as root. None: as ourselves."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _run(user: pwd.struct_passwd | None, *command: str | Path) -> None:
    # The server inherits what it is given here, so its output must not be a pipe that we would wait on.
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            user=user and user.pw_uid,
            group=user and user.pw_gid,
            extra_groups=[] if user else None,
        )
        output.seek(0)
        assert done.returncode == 0, f"{' '.join(map(str, command))} failed:\n{output.read()}"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
