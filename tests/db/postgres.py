"""A pytest plugin: a PostgreSQL server for the test run, and an empty database for each test.

The server is the one at TEST_DATABASE_URL (its user must be allowed to create databases), or one that is started in a
temporary folder by the first worker of pytest-xdist that needs it, for all of them. If there is neither, tests that
need it are skipped; with CI set, they fail.

Making a database takes a hundred times as long as emptying one. So a worker makes one, and empties it for each test.
"""

import asyncio
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from db.models import Base
from tests.db.migrated import migrate, once, share

USER = "pencilbox"
PASSWORD = "open sesame"
MISSING = (
    "PostgreSQL is not installed: install the package postgresql, or let TEST_DATABASE_URL name a server on which "
    "databases may be created."
)


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server. `url` is the address of a database from which others can be created."""

    url: str

    def create_database(self, like: str = "") -> str:
        """Create a database, empty or a copy of the one at `like`, and return its address.

        Nobody may be connected to the one at `like`.
        """
        name = f"pencilbox_test_{secrets.token_hex(6)}"
        model = f" TEMPLATE {urlsplit(like).path[1:]}" if like else ""
        self._execute(f"CREATE DATABASE {name}{model}")
        return self.database(name)

    def empty_database(self, name: str) -> str:
        """Create a database of this name, after dropping the one that exists, and return its address."""
        self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._execute(f"CREATE DATABASE {name}")
        return self.database(name)

    def database(self, name: str) -> str:
        """Return the address of the database of this name."""
        return urlsplit(self.url)._replace(path=f"/{name}").geturl()

    def drop_database(self, url: str) -> None:
        """Drop a database that `create_database` made, even if somebody is connected to it."""
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


class Emptied:
    """A database that is emptied again and again, over one connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        # With a loop factory, Runner leaves the current event loop of the thread to pytest-asyncio.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._connection = self._run(asyncpg.connect(url))

    def empty(self) -> None:
        """Disconnect everybody else, delete all rows and begin again with the first id."""
        self._run(self._connection.execute(EMPTY))

    def close(self) -> None:
        self._run(self._connection.close())
        self._runner.close()

    def _run(self, it: Coroutine[Any, Any, Any]) -> Any:
        async def wait() -> Any:
            return await it

        return self._runner.run(wait())


OTHERS = "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
EMPTY = ";".join(
    (
        f"SELECT pg_terminate_backend(pid) FROM {OTHERS}",
        *(f'DELETE FROM "{table.name}"' for table in reversed(Base.metadata.sorted_tables)),
        "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'",
    )
)


@contextmanager
def server(keep: Path | None = None) -> Iterator[PostgresServer | None]:
    """The server at TEST_DATABASE_URL, or one that runs within this block; None if there is neither.

    The latter leaves nothing behind. With `keep` it has its data in this folder and finds it there again.
    """
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield PostgresServer(url)
    elif (binaries := find_binaries()) is not None:
        with cluster(binaries, keep) as started:
            yield started
    else:
        yield None


FOLDER = pytest.StashKey[Path]()
"""The folder of the server and of the databases that all workers share."""


def pytest_configure(config: pytest.Config) -> None:
    shared = getattr(config, "workerinput", {}).get("postgres")
    # Not below pytest's own temporary folder: the server may run as a user who cannot enter that.
    config.stash[FOLDER] = Path(shared or tempfile.mkdtemp(prefix="pencilbox-postgres-"))
    share(config.stash[FOLDER])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where the server is."""
    node.workerinput["postgres"] = str(node.config.stash[FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the server, or drop the database that was copied, once all workers are done."""
    folder = config.stash.get(FOLDER, None)
    if folder is not None and not hasattr(config, "workerinput"):
        if (folder / URL).exists() and (binaries := find_binaries()) is not None:
            stop(binaries, folder, "immediate")
        elif (folder / TEMPLATE).exists():
            PostgresServer(os.environ["TEST_DATABASE_URL"]).drop_database((folder / TEMPLATE).read_text())
        shutil.rmtree(folder, ignore_errors=True)


URL, TEMPLATE = "url", "template"
"""The files with the addresses of the server and of the database that is copied, in the folder that workers share."""


@pytest.fixture(scope="session")
def postgres_server(pytestconfig: pytest.Config) -> PostgresServer:
    """One server for the whole run."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        return PostgresServer(url)
    if (binaries := find_binaries()) is not None:
        folder = pytestconfig.stash[FOLDER]
        return PostgresServer(once(folder, URL, lambda: start(binaries, folder).url))
    if os.environ.get("CI"):
        pytest.fail(MISSING)
    pytest.skip(MISSING)  # PostgreSQL cannot be installed without the system's rights; under CI this fails


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a new database without tables, dropped after the test."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(scope="session")
def migrated_template(
    postgres_server: PostgresServer, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The address of a database with empty tables, which is only copied."""

    def make() -> str:
        url = postgres_server.create_database()
        migrate(url, tmp_path_factory.mktemp("migrated"))
        return url

    return once(pytestconfig.stash[FOLDER], TEMPLATE, make)


@pytest.fixture(scope="session")
def _migrated_once(postgres_server: PostgresServer, migrated_template: str) -> Iterator[Emptied]:
    url = postgres_server.create_database(migrated_template)
    database = Emptied(url)
    yield database
    database.close()
    postgres_server.drop_database(url)


@pytest.fixture
def migrated_url(_migrated_once: Emptied) -> str:
    """The address of a database with empty tables. The next test gets the same one."""
    _migrated_once.empty()
    return _migrated_once.url


@pytest.fixture
def own_migrated_url(postgres_server: PostgresServer, migrated_template: str) -> Iterator[str]:
    """The address of a new database with empty tables, for tests that change the tables or fill them."""
    url = postgres_server.create_database(migrated_template)
    yield url
    postgres_server.drop_database(url)


def find_binaries() -> Path | None:
    """Return the folder of initdb and pg_ctl: from PATH, or the newest of Debian's, which are not on PATH."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(versions, key=lambda initdb: int(initdb.parts[-3]), default=None)
    return newest.parent if newest else None


@contextmanager
def cluster(binaries: Path, keep: Path | None = None) -> Iterator[PostgresServer]:
    """A server that runs within this block, in a temporary folder or in one to `keep`."""
    folder = Path(tempfile.mkdtemp(prefix="pencilbox-postgres-")) if keep is None else keep
    try:
        yield start(binaries, folder)
    finally:
        stop(binaries, folder, "immediate" if keep is None else "fast")
        if keep is None:
            shutil.rmtree(folder)


class Cluster:
    """A server of one's own, which can be stopped, started on the same port, and paused."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries, self._folder = binaries, folder
        self.server = start(binaries, folder)

    @classmethod
    @contextmanager
    def running(cls) -> Iterator["Cluster | None"]:
        """A server that runs within this block; None where PostgreSQL is not installed."""
        if (binaries := find_binaries()) is None:
            yield None
            return
        folder = Path(tempfile.mkdtemp(prefix="pencilbox-postgres-"))
        try:
            yield cls(binaries, folder)
        finally:
            stop(binaries, folder, "immediate")
            shutil.rmtree(folder)

    def stop(self, mode: str) -> None:
        stop(self._binaries, self._folder, mode)

    def start(self) -> None:
        data = self._folder / "data"
        _run(_unprivileged(), *_control(self._binaries, data), "--log", self._folder / "log", "start")

    def kill(self) -> None:
        """End all processes of the server at once, as a power switch would."""
        found = self._processes()
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(map(_runs, found)):
            sleep(0.01)
        # After a power cut no process has the number that stands there.
        (self._folder / "data" / "postmaster.pid").unlink()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Within this block no process of the server does anything, as on a machine that hangs."""
        found = self._processes()
        for pid in found:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in found:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def _processes(self) -> list[int]:
        """The processes of the server, the first first."""
        first = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return [first, *map(int, children)]


def _runs(pid: int) -> bool:
    """True if a process has not ended, whoever is to ask for its status."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def start(binaries: Path, folder: Path) -> PostgresServer:
    """Start a server on a free port of the loopback interface, with its data in this folder."""
    user, data = _unprivileged(), folder / "data"
    if not data.exists():
        _make(binaries, user, folder, data)
    port = _free_port()
    with (data / "postgresql.conf").open("a") as settings:
        settings.write(f"port = {port}\n")
    _run(user, *_control(binaries, data), "--log", folder / "log", "start")
    password_in_url = PASSWORD.replace(" ", "%20")
    return PostgresServer(f"postgresql://{USER}:{password_in_url}@127.0.0.1:{port}/postgres")


def stop(binaries: Path, folder: Path, mode: str) -> None:
    """Stop the server in this folder, if it runs."""
    data = folder / "data"
    if (data / "postmaster.pid").exists():
        _run(_unprivileged(), *_control(binaries, data), "--mode", mode, "stop")


def _control(binaries: Path, data: Path) -> tuple[str | Path, ...]:
    return binaries / "pg_ctl", "--pgdata", data, "--wait", "--silent"


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
            # Nothing here must outlive the machine, so nothing waits for the disk. But what is committed must outlive
            # the server, which tests kill: so synchronous_commit stays on.
            "fsync = off\nfull_page_writes = off\n"
        )


def _unprivileged() -> pwd.struct_passwd | None:
    """Return the user to run the server as, since it refuses to run as root; None for the present user."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _run(user: pwd.struct_passwd | None, *command: str | Path) -> None:
    # The server inherits this output, so it must not be a pipe: we would wait for its end.
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
