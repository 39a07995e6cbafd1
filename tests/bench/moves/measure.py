"""One run: the local Discord, the two bots, and moves of all games in turn."""

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image

from bot.sandbox import Sandbox
from bot.sandbox.exchange import Exchange
from bot.sandbox.world.message import Message
from render.engine.raster import png_of
from tests.bench.moves.bare_bot import PICTURE
from tests.bench.moves.clock import resting
from tests.bench.moves.playing import Game, Watch
from tests.bench.moves.positions import STAGES, Placed, at_stage, store_matches
from tests.contract.player import Player, players
from tests.db.migrated import lay
from tests.e2e.bot_process import BotProcess
from tests.rules.walks import AnyGame

MEMBERS = ("Ada", "Grace")


@dataclass
class Measured:
    """A move: milliseconds of processor time and of waiting, the same of the bare press, and of encoding."""

    game: str
    stage: str
    cpu: float
    waited: float
    requests: int
    bare_cpu: float
    bare_waited: float
    encoding: float
    picture: int
    """Bytes."""
    traced: bool
    parts: dict[str, float] = field(default_factory=dict)
    statements: int = 0
    transactions: int = 0

    @property
    def floor(self) -> float:
        return self.bare_cpu + self.encoding


class Requests:
    """Counts the requests of a bot."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, exchange: Exchange) -> None:
        self.count += 1


async def measure(games: Sequence[AnyGame], rounds: int, moves: int) -> list[Measured]:
    """Play `moves` moves of each game at each stage in each round, every second one traced."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pencilbox-bench-")))
        bare = await stack.enter_async_context(bare_bot(folder / "bare"))
        requests = Requests()
        names = [
            f"{game.key}-{stage}-{number}" for number in range(rounds) for game in games for stage in STAGES
        ]
        local = await stack.enter_async_context(
            Sandbox(members=MEMBERS, channels=("general", *names), observe=requests)
        )
        members = await stack.enter_async_context(players(local.url, local.world))
        playing = await place(local, members, games, rounds, moves, folder)
        bot = await stack.enter_async_context(traced_bot(local.url, folder))
        for _, game in playing:
            await game.board()
        await resting(bot.pid)
        measured = []
        for stage, game in playing:
            for move in range(moves):
                if game.match.over:
                    break
                measured.append(await one_move(stage, game, bot, bare, requests, traced=move % 2 == 1))
            print(".", end="", flush=True)
        print()
        return measured


async def place(
    local: Sandbox, members: Sequence[Player], games: Sequence[AnyGame], rounds: int, moves: int, folder: Path
) -> list[tuple[str, Game]]:
    """Store a game for each round and stage, each in a channel of its own."""
    lay(folder)
    watch = Watch(local)
    placed, playing = [], []
    for number in range(rounds):
        for game in games:
            for stage in STAGES:
                channel = local.channel(f"{game.key}-{stage}-{number}")["id"]
                match = at_stage(game, stage, number, moves)
                users = [int(member.id) for member in members]
                placed.append(Placed(match, int(local.world.guild["id"]), int(channel), users))
                seats = {seat: member.elsewhere(channel) for seat, member in enumerate(members)}
                chance = random.Random(f"{game.key} {stage} {number}")
                playing.append((stage, Game(watch, seats, 0, match, chance)))
    for (_, one), id_ in zip(playing, await store_matches(folder, placed), strict=True):
        one.number = id_
    return playing


async def one_move(
    stage: str, game: Game, bot: "Traced", bare: "Bare", requests: Requests, *, traced: bool
) -> Measured:
    press = await game.next_press()
    before = await resting(bot.pid)
    if traced:
        await bot.begin()
        before = await resting(bot.pid)
    counted, began = requests.count, time.perf_counter()
    await game.play(press)
    waited = 1000 * (time.perf_counter() - began)
    cpu = await resting(bot.pid) - before
    count = requests.count - counted
    told = await bot.end() if traced else {}
    picture = game.watch.picture(press.message if press.private else (await game.board())[0])
    bare_cpu, bare_waited = await bare.show(picture)
    return Measured(
        game=game.match.game.key,
        stage=stage,
        cpu=cpu,
        waited=waited,
        requests=count,
        bare_cpu=bare_cpu,
        bare_waited=bare_waited,
        encoding=encoding(picture),
        picture=len(picture),
        traced=traced,
        **told,
    )


def encoding(picture: bytes) -> float:
    """Return the milliseconds that it takes to encode a picture again as the bot does."""
    if not picture:
        return 0.0
    drawn = Image.open(BytesIO(picture))
    drawn.load()
    began = time.thread_time()
    png_of(drawn)
    return 1000 * (time.thread_time() - began)


# --- the two bots


class Traced:
    """The bot's process, with the file to which it tells what it has measured."""

    def __init__(self, process: BotProcess, trace: Path) -> None:
        self.pid = process.pid
        self._trace = trace
        self._lines = 0

    async def begin(self) -> None:
        await self._order(signal.SIGUSR1)

    async def end(self) -> dict[str, Any]:
        told: dict[str, Any] = await self._order(signal.SIGUSR2)
        return told

    async def _order(self, order: signal.Signals) -> dict[str, Any]:
        os.kill(self.pid, order)
        self._lines += 1
        while (
            len(lines := self._trace.read_text().splitlines(keepends=True)) < self._lines
            or lines[-1][-1] != "\n"
        ):
            await asyncio.sleep(0.002)
        told: dict[str, Any] = json.loads(lines[-1])
        return told


@asynccontextmanager
async def traced_bot(url: str, folder: Path) -> AsyncIterator[Traced]:
    trace = folder / "trace"
    trace.touch()
    process = await BotProcess.start(
        folder,
        module="tests.bench.moves.traced_bot",
        PENCILBOX_LOCAL_URL=url,
        PENCILBOX_MOMENTS_PERCENT="0",
        TRACE=str(trace),
    )
    try:
        await process.online(url)
        yield Traced(process, trace)
        assert "Traceback" not in process.log, process.log
    finally:
        await process.kill()


class Bare:
    """The bare bot, and a member who presses its button."""

    def __init__(self, pid: int, folder: Path, member: Player, message: Message, watch: Watch) -> None:
        self.pid = pid
        self._folder = folder
        self._member = member
        self._message = message
        self._watch = watch

    async def show(self, picture: bytes) -> tuple[float, float]:
        """Press; return milliseconds of processor time, and until the picture is in the message."""
        if picture:
            (self._folder / PICTURE).write_bytes(picture)
        else:
            (self._folder / PICTURE).unlink(missing_ok=True)
        before, began = await resting(self.pid), time.perf_counter()
        await self._member.press({"id": self._message.id}, "bare")
        waited = 1000 * (time.perf_counter() - began)
        cpu = await resting(self.pid) - before
        assert self._watch.picture(self._message) == picture
        return cpu, waited


@asynccontextmanager
async def bare_bot(folder: Path) -> AsyncIterator[Bare]:
    folder.mkdir()
    async with Sandbox(members=MEMBERS) as local, players(local.url, local.world) as members:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.moves.bare_bot", local.url, str(folder)
        )
        try:
            while not (local.world.commands and local.services.gateway.online):
                assert process.returncode is None
                await asyncio.sleep(0.05)
            await asyncio.sleep(3)
            answer = await members[0].command("begin")
            message = local.world.find_message(answer["message"]["id"])
            assert message is not None
            bare = Bare(process.pid, folder, members[0], message, Watch(local))
            for _ in range(20):
                await bare.show(b"")
            yield bare
        finally:
            process.kill()
            await process.wait()
