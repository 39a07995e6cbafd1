"""A local Discord with many servers, a database, and bot and worker processes that come and go."""

import asyncio
import shlex
import shutil
import socket
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import asyncpg

from bot.sandbox import Sandbox
from bot.sandbox.gateway import session
from bot.sandbox.rest.wire import Observer
from db.address import Server, address
from db.engine import open_store
from db.jobs.schema import SCHEMA, prepare
from db.store import Store
from tests.bench.moves.clock import processor_time
from tests.bench.moves.playing import Watch
from tests.contract.player import Player, players_by_server
from tests.db.migrated import migrate
from tests.db.postgres import PostgresServer, cluster, find_binaries
from tests.e2e.bot_process import BotProcess
from tests.e2e.forked_process import START_PAUSE

PATIENCE = 300.0
"""Seconds after which a wait fails the run."""
CHANNELS = ("general", "computers", "clocks", "offers")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a run. `at_once` is the gateway's `max_concurrency`."""

    servers: int = 40
    shards: int = 4
    at_once: int = 1
    limit: int | None = None
    """The requests that Discord allows in a second; None for any number."""
    proxy: str | None = None
    """The command of a proxy for the requests of the bots, in which {url} is where it sends them and {port} its own."""
    channels: int = len(CHANNELS)
    """The channels of each server."""
    members: tuple[str, ...] = ("Ada", "Grace")
    """The names of the members of each server."""
    visitor: bool = False
    """True if the last member of the first server is in all other servers too, as their last."""


@dataclass
class Deployment:
    """Everything that runs. Processes are named: bots `bot-1`, `bot-2`..., workers `worker-1`..."""

    size: Size
    local: Sandbox
    store: Store
    watch: Watch
    members: list[list[Player]]
    url: str
    """The address of the PostgreSQL database; empty for SQLite, which one bot uses at a time."""
    postmaster: int
    """The first process of PostgreSQL; 0 for SQLite."""
    folder: Path
    forked: bool
    module: str = "bot"
    """The module that runs as a bot."""
    proxy: str | None = None
    processes: dict[str, BotProcess] = field(default_factory=dict)
    all_logs: list[Path] = field(default_factory=list)
    _made: Counter[str] = field(default_factory=Counter)

    async def start_bots(self, count: int, *, search: str = "here") -> list[str]:
        """Start bots and wait until they serve all shards; return their names."""
        names = [await self.start("bot", PENCILBOX_SEARCH=search) for _ in range(count)]
        await self.all_served()
        return names

    async def start(self, kind: str, **settings: str) -> str:
        """Start a process of a kind, `bot` or `worker`; return its name."""
        self._made[kind] += 1
        name = f"{kind}-{self._made[kind]}"
        module = self.module if kind == "bot" else "bot worker"
        stored: dict[str, str] = {"PENCILBOX_DATA_DIR": str(self.folder)}
        if self.url:
            stored = {"DATABASE_URL": f"{self.url}?application_name={name}"}
        settings = {
            "PENCILBOX_LOCAL_URL": self.local.url,
            "PENCILBOX_MOMENTS_PERCENT": "0",
            "PENCILBOX_SEARCH_WORKERS": "1",
            **stored,
            **settings,
        }
        if self.proxy is not None:
            settings["DISCORD_PROXY_URL"] = self.proxy
        folder = self.folder / name
        begin = BotProcess.fork if self.forked else None
        if begin is not None:
            self.processes[name] = begin(folder, module=module, **settings)
        else:
            folder.mkdir()
            self.processes[name] = await BotProcess.start(folder, module=module, **settings)
        self.all_logs.append(folder / "bot.log")
        return name

    async def start_workers(self, count: int) -> list[str]:
        """Start workers and wait until they take searches."""
        names = [await self.start("worker") for _ in range(count)]
        place = address(self.url, self.folder)
        assert isinstance(place, Server)
        await prepare(place)
        async with asyncio.timeout(PATIENCE), self.database() as connection:
            there = f"SELECT count(*) FROM {SCHEMA}.procrastinate_workers"
            while await connection.fetchval(there) < 2 * count:
                self._assert_running()
                await asyncio.sleep(0.2)
        return names

    async def kill(self, name: str) -> None:
        """End a process as a power switch would."""
        await self.processes.pop(name).kill()

    async def stop(self, name: str) -> None:
        """Ask a process to stop."""
        assert await self.processes.pop(name).stop() == 0, f"{name} has stopped with an error"

    async def stop_all(self) -> None:
        for name in list(self.processes):
            await self.stop(name)

    async def all_served(self) -> float:
        """Wait until every shard is connected by one process; return the seconds that it took."""
        began, wanted = time.monotonic(), Counter(dict.fromkeys(range(self.size.shards), 1))
        async with asyncio.timeout(PATIENCE):
            while Counter(self.local.services.gateway.connected) != wanted:
                self._assert_running()
                await asyncio.sleep(0.05)
        return time.monotonic() - began

    def _assert_running(self) -> None:
        for name, process in self.processes.items():
            assert process.running, f"{name} has ended:\n{process.log}"

    def shards_of(self, name: str) -> set[int]:
        """Return the shards that a bot has logged that it serves."""
        return set(served(self.processes[name].log))

    def servers_of(self, shards: set[int]) -> list[int]:
        """Return the places in `members` of the servers of these shards."""
        ids = list(self.local.world.guilds)
        return [place for place, id_ in enumerate(ids) if (int(id_) >> 22) % self.size.shards in shards]

    def channel(self, server: int, name: str) -> str:
        """Return the id of a channel of a server."""
        for channel in self.local.world.channels_of(list(self.local.world.guilds)[server]):
            if channel["name"] == name:
                found: str = channel["id"]
                return found
        raise KeyError(name)

    @asynccontextmanager
    async def database(self) -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(self.url)
        try:
            yield connection
        finally:
            await connection.close()

    def database_time(self) -> float:
        """Return the seconds of processor time that the running processes of PostgreSQL have used."""
        return processor_time(self.postmaster) / 1000

    def processor_times(self) -> dict[str, float]:
        """Return the milliseconds of processor time that each process has used."""
        return {name: processor_time(process.pid) for name, process in self.processes.items()}


def served(log: str) -> Iterator[int]:
    """Yield the shards that a process serves by its log: taken, and not given up."""
    held: dict[int, None] = {}
    for line in log.splitlines():
        words = dict(word.split("=", 1) for word in line.split() if "=" in word)
        if "shard.acquired" in line:
            held[int(words["shard"])] = None
        elif "shard.released" in line or "shard.taken_by_another_process" in line:
            held.pop(int(words["shard"]), None)
    yield from held


@asynccontextmanager
async def deployment(
    size: Size,
    *,
    forked: bool = False,
    postgres: PostgresServer | None = None,
    sqlite: bool = False,
    module: str = "bot",
    observe: Observer | None = None,
) -> AsyncIterator[Deployment]:
    """A deployment without any process of the bot. It starts a PostgreSQL server if there is none, unless on SQLite."""
    async with AsyncExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="pencilbox-deployment-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        url, postmaster = "", 0
        if not sqlite:
            server = postgres or stack.enter_context(_own_server())
            url = await asyncio.to_thread(server.create_database)
            stack.push_async_callback(asyncio.to_thread, server.drop_database, url)
            postmaster = await _postmaster(url)
        migrate(url or None, folder)
        if forked:
            stack.enter_context(patch.object(session, "PAUSE", START_PAUSE))
        names = [*CHANNELS, *(f"channel-{number}" for number in range(len(CHANNELS), size.channels))]

        local = await stack.enter_async_context(
            Sandbox(
                members=size.members, channels=names, servers=size.servers, shards=size.shards,
                max_concurrency=size.at_once, global_limit=size.limit, observe=observe,
            )
        )  # fmt: skip
        if size.visitor:
            _let_visit(local)
        members = await stack.enter_async_context(players_by_server(local.url, local.world))
        store = await stack.enter_async_context(open_store(url or None, folder))
        made = Deployment(size, local, store, Watch(local), members, url, postmaster, folder, forked, module)
        if size.proxy is not None:
            made.proxy = await stack.enter_async_context(_proxy(size.proxy, local.url))
        try:
            yield made
        finally:
            for process in made.processes.values():
                await process.kill()


def _let_visit(local: Sandbox) -> None:
    """Let the last member of the first server be in the others, instead of the last one of each."""
    first, *others = local.world.guilds
    visitor = local.world.members_of(first)[-1]
    for server in others:
        local.world.put_members(server, [*local.world.members_of(server)[:-1], visitor])


@asynccontextmanager
async def _proxy(command: str, url: str) -> AsyncIterator[str]:
    """Run a proxy; yield its address once it can be reached."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(*shlex.split(command.format(url=url, port=port)))
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                assert process.returncode is None, "the proxy has ended"
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                await asyncio.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _postmaster(url: str) -> int:
    """Return the process that has started the one which serves a connection."""
    connection = await asyncpg.connect(url)
    try:
        backend = int(await connection.fetchval("SELECT pg_backend_pid()"))
        return int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])
    finally:
        await connection.close()


@contextmanager
def _own_server() -> Iterator[PostgresServer]:
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed: install the package postgresql.")
    with cluster(binaries) as server:
        yield server
