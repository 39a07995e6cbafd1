"""Several processes serve the shards of one PostgreSQL database, while they come, are cut off, killed and stopped."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest

from bot.sandbox import Sandbox
from bot.sandbox.gateway import session
from bot.sandbox.world.objects import DM
from bot.ui.posts.direct_messages import BURST, LONGEST_WAIT, SPAN
from db.engine import open_store
from db.processes.server import KEY
from db.values.places import shard_of
from tests.contract.checker import Contract
from tests.contract.player import Player, players_by_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.forked_process import START_PAUSE
from tests.e2e.messages import choose, open_preferences
from tests.e2e.panels import Panel, panel_at, panels
from tests.e2e.play import ask, by_button, by_command, challenge
from tests.waiting import PATIENCE

SHARDS = 2
READY = re.compile(r"ready .*?shard=(\d+)")
LINKS = (
    "FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND objsubid = 1"
    f" AND classid = {KEY >> 32}::oid AND objid = {KEY & 0xFFFFFFFF}::oid"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""The connections by which processes hold their shards."""


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the local Discord accept sessions as often as forked bots start them."""
    monkeypatch.setattr(session, "PAUSE", START_PAUSE)


class Processes:
    """The processes of one database, and the local Discord that they serve."""

    def __init__(self, local: Sandbox, url: str, folder: Path) -> None:
        self._local, self._url, self._folder = local, url, folder
        self.started: list[BotProcess] = []

    def start(self, **settings: str) -> BotProcess:
        """Start one more."""
        folder = self._folder / str(len(self.started))
        bot = BotProcess.fork(folder, PENCILBOX_LOCAL_URL=self._local.url, DATABASE_URL=self._url, **settings)
        self.started.append(bot)
        return bot

    def sessions(self) -> list[int]:
        """The shards that are connected, each as often as it is."""
        sessions = self._local.services.gateway._sessions.values()
        return sorted(it.shard for it in sessions if it.connection is not None)


@asynccontextmanager
async def several(local: Sandbox, url: str, folder: Path) -> AsyncIterator[Processes]:
    """No process at first; in the end all are killed."""
    found = Processes(local, url, folder)
    try:
        yield found
    finally:
        for bot in found.started:
            await bot.kill()
            print(bot.log)


async def serving(bot: BotProcess, count: int) -> set[int]:
    """Wait until a process has come to serve so many shards, and return them."""
    async with asyncio.timeout(PATIENCE):
        while len(found := {int(shard) for shard in READY.findall(bot.log)}) < count:
            assert bot.running, bot.log
            await asyncio.sleep(0.05)
    return found


async def moved(server: Sequence[Player], panel: Panel, *, directly: bool = False) -> Panel:
    """The member on turn makes a move, on the board or from direct messages; the next board."""
    mover = next(one for one in server if one.id == panel.turn)
    text = next(iter(panel.moves))
    if directly:
        await by_command(mover.elsewhere((await mover.post("direct"))["id"]), panel, text)
    else:
        await by_button(mover, panel, text)
    return await panel_at(mover, panel.match, panel.plies + 1)


async def all_moved(
    servers: Sequence[Sequence[Player]], games: Sequence[Panel], directly: Sequence[bool] = ()
) -> list[Panel]:
    """Make a move in every server at the same time; the next boards."""
    ways = directly or [False] * len(games)
    each = zip(servers, games, ways, strict=True)
    return await asyncio.gather(*(moved(server, game, directly=way) for server, game, way in each))


async def cut_off(url: str) -> int:
    """Cut the connections by which processes hold their shards, and return how many there were."""
    connection = await asyncpg.connect(url)
    try:
        return len(await connection.fetch(f"SELECT pg_terminate_backend(pid, 10000) {LINKS}"))
    finally:
        await connection.close()


async def test_shards_move_between_processes_in_the_middle_of_games(
    contract: Contract, migrated_url: str, tmp_path: Path
) -> None:
    made = Sandbox(servers=SHARDS, shards=SHARDS, max_concurrency=SHARDS, observe=contract)
    async with (
        made as local,
        players_by_server(local.url, local.world) as servers,
        several(local, migrated_url, tmp_path) as processes,
    ):
        shards = [shard_of(int(guild), SHARDS) for guild in local.world.guilds]
        one = processes.start()
        await serving(one, SHARDS)
        games = [await challenge(server[0], server[1], "alaric") for server in servers]

        two = processes.start()
        theirs = await serving(two, SHARDS // 2)
        assert len(theirs) == SHARDS // 2
        games = await all_moved(servers, games)

        # Each takes its own shards again, and goes on without a new login.
        assert await cut_off(migrated_url) == 2
        for bot in (one, two):
            await bot.says("processes.rejoined")
            assert "shard.taken_by_another_process" not in bot.log
        assert processes.sessions() == list(range(SHARDS))

        # Direct messages reach the process of shard 0, which stores a move whose board another process shows.
        assert 0 not in theirs
        games = await all_moved(servers, games, [shard in theirs for shard in shards])

        one.forget_log()
        await two.kill()
        assert await serving(one, len(theirs)) == theirs
        games = await all_moved(servers, games)

        assert processes.sessions() == list(range(SHARDS))
        assert await one.stop() == 0

        for server, game in zip(servers, games, strict=True):
            assert [board.plies for board in await panels(server[0])] == [game.plies]
        for bot in processes.started:
            assert "Traceback" not in bot.log
            assert "background_task.failed" not in bot.log


@pytest.mark.soak
async def test_settings_give_each_process_its_shards(
    contract: Contract, migrated_url: str, tmp_path: Path
) -> None:
    made = Sandbox(servers=2, shards=1, max_concurrency=2, observe=contract)
    async with made as local, several(local, migrated_url, tmp_path) as processes:
        one, two = (processes.start(SHARD_COUNT="2", SHARD_IDS=shard) for shard in ("1", "0"))
        assert (await serving(one, 1), await serving(two, 1)) == ({1}, {0})
        other = processes.start(SHARD_COUNT="3")
        assert await other.ended() == 2
        assert "have 2 shards, not 3: stop all of them before SHARD_COUNT changes." in other.log
        unknown = processes.start(SHARD_IDS="0-2")
        assert await unknown.ended() == 2
        assert "SHARD_IDS names shard 2, but of 2 shards the last is 1." in unknown.log
        successor = processes.start(SHARD_IDS="1")
        assert await one.stop() == 0
        assert await serving(successor, 1) == {1}


@pytest.mark.soak
async def test_processes_open_direct_messages_at_one_pace(
    contract: Contract, migrated_url: str, tmp_path: Path
) -> None:
    """Each process writes to three members. Five channels are opened, since the clock stands still; the sixth waits."""
    now = datetime.now(UTC)
    clock = tmp_path / "clock"
    clock.write_text(now.isoformat())
    names = ("Ada", "Grace", "Emmy", "Alan")
    async with (
        Sandbox(members=names, servers=2, shards=2, max_concurrency=2, observe=contract) as local,
        players_by_server(local.url, local.world) as servers,
        several(local, migrated_url, tmp_path) as processes,
        open_store(migrated_url, tmp_path) as store,
    ):
        for shard in ("0", "1"):
            bot = processes.start(module="tests.e2e.owned_clock", CLOCK=str(clock), SHARD_IDS=shard)
            assert await serving(bot, 1) == {int(shard)}
        for challenger, *others in servers:
            for other in others:
                await choose(other, await open_preferences(other), "prefer:notice", "direct")
                await ask(challenger, [other], "alaric")
        async with asyncio.timeout(PATIENCE):
            while [it.turn for it in await store.direct_messages.due(now + LONGEST_WAIT, 6)] != [now + SPAN]:
                await asyncio.sleep(0.1)
        opened = [it["id"] for it in local.world.channels.values() if it["type"] == DM]
        assert [len(local.world.messages[it]) for it in opened] == [1] * BURST
