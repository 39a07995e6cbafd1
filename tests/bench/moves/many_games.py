"""Moves per second from one process: `python -m tests.bench.moves.many_games` (on Linux), some two minutes.

Games of all kinds are played at once, by members who press without thinking. A move is waited for from its press
to the new board; the presses that open menus take their time too, but are not counted as moves.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.sandbox import Sandbox
from render.games import HOSTED_GAMES
from tests.bench.moves.bots import MEMBERS, traced_bot
from tests.bench.moves.clock import processor_time, resting
from tests.bench.moves.playing import Game, Watch
from tests.bench.moves.positions import Placed, at_stage, store_matches
from tests.bench.moves.report import high
from tests.contract.player import players
from tests.db.migrated import lay

AT_ONCE = (1, 2, 4, 8, 16, 40)
SPARE = 20
"""Games per kind: those that end are replaced by others."""


@dataclass
class Rate:
    """Moves per second, milliseconds until the board (median and 95th percentile), and the bot's share of a core."""

    games: int
    moves: float
    median: float
    high: float
    busy: float
    failed: int
    """Presses that the bot did not answer within three seconds."""


async def measure(at_once: Sequence[int], seconds: float) -> list[Rate]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pencilbox-bench-")))
        lay(folder)
        matches = [at_stage(game, "early", seed, 0) for seed in range(SPARE) for game in HOSTED_GAMES]
        names = [f"game-{number}" for number in range(len(matches))]
        local = await stack.enter_async_context(Sandbox(members=MEMBERS, channels=names))
        members = await stack.enter_async_context(players(local.url, local.world))
        watch, pool = Watch(local), []
        users, guild = [int(member.id) for member in members], int(local.world.guild["id"])
        channels = [local.channel(name)["id"] for name in names]
        placed = [
            Placed(match, guild, int(where), users) for match, where in zip(matches, channels, strict=True)
        ]
        for number, match, where in zip(await store_matches(folder, placed), matches, channels, strict=True):
            seats = {seat: member.elsewhere(where) for seat, member in enumerate(members)}
            pool.append(Game(watch, seats, number, match, random.Random(number)))
        bot = await stack.enter_async_context(traced_bot(local.url, folder))
        for game in pool:
            await game.board()
        rates = []
        for games in at_once:
            used, began = await resting(bot.pid), time.perf_counter()
            waited, failed = await play(pool, games, began + seconds)
            spent = time.perf_counter() - began
            busy = (processor_time(bot.pid) - used) / spent / 1000
            rates.append(
                Rate(games, len(waited) / spent, statistics.median(waited), high(waited), busy, failed)
            )
        return rates


async def play(pool: list[Game], games: int, until: float) -> tuple[list[float], int]:
    """Play so many games of the pool at once; return the milliseconds that each move was waited for, and the number of
    presses that were not answered in time."""
    waited: list[float] = []
    failed = 0

    async def one_after_another() -> None:
        nonlocal failed
        while time.perf_counter() < until:
            game, lost = pool.pop(0), False
            while time.perf_counter() < until and not (game.match.over or lost):
                try:
                    press = await game.next_press()
                    began = time.perf_counter()
                    await game.play(press)
                except (AssertionError, TimeoutError):
                    # Not answered within three seconds: the move may have been played or not.
                    failed += 1
                    lost = True
                else:
                    waited.append(1000 * (time.perf_counter() - began))
            if not (game.match.over or lost):
                pool.append(game)

    await asyncio.gather(*(one_after_another() for _ in range(games)))
    return waited, failed


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.moves.many_games", description=__doc__)
    parser.add_argument("--games", nargs="+", type=int, default=AT_ONCE, help="so many at once, in turn")
    parser.add_argument("--seconds", type=float, default=8, help="for each; default 8")
    given = parser.parse_args()
    print(f"{'games':>6}{'moves/s':>9}{'median ms':>11}{'95 % ms':>9}{'bot, cores':>12}{'failed':>8}")
    for rate in asyncio.run(measure(given.games, given.seconds)):
        print(
            f"{rate.games:>6}{rate.moves:>9.1f}{rate.median:>11.0f}{rate.high:>9.0f}{rate.busy:>12.2f}{rate.failed:>8}"
        )


if __name__ == "__main__":
    main()
