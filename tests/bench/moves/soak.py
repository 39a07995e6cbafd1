"""The memory of the bot over many moves: `python -m tests.bench.moves.soak` (on Linux), or fewer with `--moves 2000`.

All games that are running are played in turn, a few at a time; those that end are replaced by others, which the bot
finds in its database. Prints a line with the resident memory every 500 moves, and at the end its slope over the second
half of the moves.
"""

import argparse
import asyncio
import random
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count, islice
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory

from bot.sandbox import Sandbox
from render.games import HOSTED_GAMES
from tests.bench.moves.bots import MEMBERS
from tests.bench.moves.clock import resident
from tests.bench.moves.playing import Game, Stuck, Watch
from tests.bench.moves.positions import STAGES, Placed, at_stage, store_matches
from tests.contract.player import Player, players
from tests.db.migrated import lay
from tests.e2e.bot_process import BotProcess

CHANNELS = 200
STEP = 500
"""Moves between two lines."""
SEEDS = 10
"""Random games of each kind, from which the positions are taken."""


class Soak:
    """The games that are running, in the order in which they are played on."""

    def __init__(self, local: Sandbox, members: list[Player], folder: Path) -> None:
        self._local = local
        self._members = members
        self._folder = folder
        self._watch = Watch(local)
        self._positions = self._all_positions()
        self._locks = {channel: asyncio.Lock() for channel in local.world.channels}
        self._over = 0
        self.games: deque[Game] = deque()
        self.moves = self.failed = 0

    def _all_positions(self) -> Iterator[Game]:
        """Yield games without a number, for ever, each at some stage and in the channel after that of the last."""
        channels = [*self._local.world.channels]
        for number in count():
            game = HOSTED_GAMES[number % len(HOSTED_GAMES)]
            match = at_stage(game, [*STAGES][number % len(STAGES)], number % SEEDS, 4)
            there = channels[number % len(channels)]
            seats = {seat: member.elsewhere(there) for seat, member in enumerate(self._members)}
            yield Game(self._watch, seats, 0, match, random.Random(number))

    async def add(self, many: int) -> None:
        """Store more games, whose boards the bot will post."""
        games, guild = list(islice(self._positions, many)), int(self._local.world.guild["id"])
        users = [int(member.id) for member in self._members]
        placed = [Placed(game.match, guild, int(game.channel), users) for game in games]
        for game, number in zip(games, await store_matches(self._folder, placed), strict=True):
            game.number = number
            self.games.append(game)

    async def play(self, moves: int, at_once: int) -> None:
        """Play until so many moves have been made in all."""

        async def one_after_another() -> None:
            while self.moves < moves:
                game = self.games.popleft()
                async with self._locks[game.channel]:
                    followed = await self._move(game)
                if game.match.over or not followed:
                    self._over += 1
                else:
                    self.games.append(game)
                if self._over >= at_once:
                    self._over, missing = 0, self._over
                    await self.add(missing)

        await asyncio.gather(*(one_after_another() for _ in range(at_once)))

    async def _move(self, game: Game) -> bool:
        """Make a move. Returns False if the game cannot be followed any more.

        Where the bot did not answer within three seconds, it may have played the move or not.
        """
        try:
            await game.play(await game.next_press())
        except (AssertionError, LookupError, Stuck, TimeoutError):
            self.failed += 1
            return False
        self.moves += 1
        return True

    async def begun(self) -> None:
        """Wait until every game has a board."""
        for game in self.games:
            await game.board()


async def measure(moves: int, running: int, at_once: int) -> None:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pencilbox-soak-")))
        lay(folder)
        names = [f"games-{number}" for number in range(CHANNELS)]
        local = await stack.enter_async_context(Sandbox(members=MEMBERS, channels=names))
        members = await stack.enter_async_context(players(local.url, local.world))
        soak = Soak(local, members, folder)
        await soak.add(running)
        bot = await BotProcess.start(
            folder,
            module="tests.bench.moves.server_bot",
            PENCILBOX_LOCAL_URL=local.url,
            PENCILBOX_MOMENTS_PERCENT="0",
        )
        stack.push_async_callback(bot.kill)
        await bot.online(local.url)
        print(f"{'moves':>8}{'MiB':>8}{'moves/s':>9}\n{'started':>8}{resident(bot.pid):>8.0f}", flush=True)
        await soak.begun()
        print(f"{0:>8}{resident(bot.pid):>8.0f}", flush=True)
        seen: list[tuple[int, float]] = []
        while soak.moves < moves:
            began, before = time.monotonic(), soak.moves
            await soak.play(min(before + STEP, moves), at_once)
            seen.append((soak.moves, resident(bot.pid)))
            rate = (soak.moves - before) / (time.monotonic() - began)
            print(f"{soak.moves:>8}{seen[-1][1]:>8.1f}{rate:>9.1f}", flush=True)
        late = [sample for sample in seen if sample[0] >= moves / 2]
        if len(late) > 1:
            slope = linear_regression(*zip(*late, strict=True)).slope
            print(f"Slope over the second half: {1000 * slope:+.2f} MiB in 1,000 moves.")
        print(
            f"{running} games were running; {soak.failed} were given up, as a press was not answered in three seconds."
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.moves.soak", description=__doc__)
    parser.add_argument("--moves", type=int, default=20_000, help="default 20000")
    parser.add_argument("--running", type=int, default=1000, help="games at the same time; default 1000")
    parser.add_argument("--at-once", type=int, default=6, help="moves at the same time; default 6")
    given = parser.parse_args()
    asyncio.run(measure(given.moves, given.running, given.at_once))


if __name__ == "__main__":
    main()
