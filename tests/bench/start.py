"""The cost of a start with 100,000 stored games: `python -m tests.bench.start` (on Linux), or with `--games 1000`.

Starts the bot again and again on a local Discord, as on a server, and prints seconds of its processor time and elapsed
ones up to the connection with Discord: the median, the least and the most. `--idle` measures minutes in which nothing
happens, with 1,000 running games of all kinds for two players.
"""

import argparse
import asyncio
import random
import sqlite3
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.sandbox import Sandbox
from db.address import FILE_NAME
from rules.core.match import Match
from rules.games import GAMES, find
from tests.bench.moves.bots import MEMBERS
from tests.bench.moves.clock import processor_time
from tests.bench.moves.positions import Placed, at_stage, store_matches
from tests.db.migrated import lay
from tests.e2e.bot_process import BotProcess
from tests.rules.walks import finish

TABLES = {"matches": "id", "seats": "match_id", "plies": "match_id"}
"""The tables of a game, each with its column for the number of the match."""


def repeat_match(file: Path, match: int, times: int) -> None:
    """Store copies of a match with the numbers that follow, without a board."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for table, number in TABLES.items():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            values = [f"{match} + copy" if column == number else column for column in columns]
            connection.execute(
                f"WITH RECURSIVE copies(copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ?) "
                f"INSERT INTO {table} ({', '.join(columns)}) "
                f"SELECT {', '.join(values)} FROM {table}, copies WHERE {number} = ?",
                (times, match),
            )


async def start(local: Sandbox, folder: Path) -> tuple[float, float]:
    """Start the bot until it is connected, and end it; return the seconds of processor time, and those elapsed."""
    began = time.perf_counter()
    bot = await BotProcess.start(folder, module="tests.bench.moves.server_bot", PENCILBOX_LOCAL_URL=local.url)
    try:
        while not local.services.gateway.online:
            assert bot.running, bot.log
            await asyncio.sleep(0.005)
        return processor_time(bot.pid) / 1000, time.perf_counter() - began
    finally:
        await bot.kill()
        while local.services.gateway.online:
            await asyncio.sleep(0.005)


@asynccontextmanager
async def with_matches(matches: Sequence[Match]) -> AsyncIterator[tuple[Sandbox, Path, int]]:
    """Run a local Discord; yield it, a folder with these matches of two members, and the number of the last match."""
    with TemporaryDirectory(prefix="pencilbox-start-") as name:
        folder = Path(name)
        lay(folder)
        async with Sandbox(members=MEMBERS) as local:
            place = int(local.world.guild["id"]), int(local.channel("general")["id"])
            users = [int(member["id"]) for member in local.world.members[:2]]
            placed = [Placed(it, *place, users, (1 << 40) + at) for at, it in enumerate(matches)]
            yield local, folder, (await store_matches(folder, placed))[-1]


async def measure(games: int, times: int) -> list[tuple[float, float]]:
    whole = finish(Match.start(find("alaric"), {"size": 9}, 2), random.Random(1), 1000)
    async with with_matches([whole]) as (local, folder, number):
        repeat_match(folder / FILE_NAME, number, games - 1)
        await start(local, folder)  # it writes what every first start writes
        return [await start(local, folder) for _ in range(times)]


async def idle(minutes: int) -> list[float]:
    """Return the seconds of processor time of some minutes in which nothing happens."""
    games = [at_stage(game, "middle", 1, 2) for game in GAMES if game.seats[0] == 2]
    async with with_matches([games[at % len(games)] for at in range(1000)]) as (local, folder, _):
        settings = {"PENCILBOX_LOCAL_URL": local.url}
        bot = await BotProcess.start(folder, module="tests.bench.moves.server_bot", **settings)
        try:
            times = list[float]()
            for pause in [30, *[60] * minutes]:
                await asyncio.sleep(pause)
                times.append(processor_time(bot.pid) / 1000)
            return [after - before for before, after in pairwise(times)]
        finally:
            await bot.kill()


def told(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):.2f} ({min(seconds):.2f} to {max(seconds):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.start", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="stored games; default 100000")
    parser.add_argument("--times", type=int, default=9, help="starts; default 9")
    parser.add_argument(
        "--idle", type=int, metavar="MINUTES", help="measure minutes in which nothing happens"
    )
    given = parser.parse_args()
    if given.idle:
        print("Seconds of processor time of a minute:", told(asyncio.run(idle(given.idle))))
        return
    processor, elapsed = zip(*asyncio.run(measure(given.games, given.times)), strict=True)
    print(f"With {given.games} stored games, seconds until the bot is connected, of {given.times} starts:")
    print(f"processor time {told(processor)}, elapsed {told(elapsed)}")


if __name__ == "__main__":
    main()
