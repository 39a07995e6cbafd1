"""One run: the local Discord, the two bots, and moves of all games in turn."""

import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from bot.sandbox import Sandbox
from bot.sandbox.rest.wire import Exchange
from tests.bench.moves.bots import MEMBERS, Bare, Traced, bare_bot, traced_bot
from tests.bench.moves.clock import resting
from tests.bench.moves.playing import Game, Watch
from tests.bench.moves.positions import STAGES, Placed, at_stage, store_matches
from tests.contract.player import Player, players
from tests.db.migrated import lay
from tests.rules.walks import AnyGame


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
    stage: str, game: Game, bot: Traced, bare: Bare, requests: Requests, *, traced: bool
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
    """Return the milliseconds that it takes to encode a picture as a whole with zlib at level 6, the usual one.

    This does not depend on how the bot encodes, so that ratios of different versions can be compared.
    """
    if not picture:
        return 0.0
    drawn = Image.open(BytesIO(picture))
    drawn.load()
    began = time.thread_time()
    drawn.save(BytesIO(), "PNG", compress_level=6)
    return 1000 * (time.thread_time() - began)
