"""Moves and `/help` on a large store: `python -m tests.bench.large`, on SQLite and on PostgreSQL.

Each database is filled with 100,000 rated games of a made-up year and with 10,000 running games that begin like the
puzzle of the day. The real bot serves it on a local Discord, in the event loop of this process, so the work of the
local Discord and of the members counts as well. Two members move without a pause, and a third asks for `/help`: first
while nothing else happens, then while ratings are recomputed because the oldest rated game was reverted.

`--games`, `--running` and `--moves` change the numbers.
"""

import argparse
import asyncio
import gc
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any
from unittest.mock import patch

from sqlalchemy import func, select

from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from bot.startup.logs import set_up_logs
from db.address import address
from db.engine import open_store
from db.models import RatedRow
from rules.core.match import Match
from rules.games import find
from rules.puzzles.stock import stock
from tests.bench.bulk import fill
from tests.bench.population import Population, Size
from tests.bench.records import records
from tests.bench.running import running
from tests.contract.player import Player, players
from tests.db.postgres import MISSING, server
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import told
from tests.e2e.panels import Panel, panel_at
from tests.e2e.play import by_button, challenge

RATED_SHARE = 0.9
"""The part of the matches of a population that are rated."""
MOVES_PER_HELP = 20


async def fill_store(url: str | None, folder: Path, games: int, count: int, members: int) -> None:
    """Fill a store with rated games, of about this number, and with running ones that begin like today's puzzle."""
    puzzle = next(it for it in stock().values() if it.game == "alaric")
    setup = puzzle.match.setup
    start = Match.start(find(setup.game), dict(setup.options), setup.players)
    chance = random.Random(1)
    size = Size(members, max(members // 50, 3), round(games / RATED_SHARE))
    async with open_store(url, folder) as store:
        await store.puzzles.choose(datetime.now(UTC).date(), puzzle.name)
    place = address(url, folder)
    await fill([place], records(Population(size, chance), chance))
    await fill([place], running(count, size.matches + 1, chance, count * [start]))


async def revert_first(bot: Pencilbox) -> None:
    """Revert the result of the oldest rated game."""
    store: Any = bot.services.store
    async with store.sessions.read() as session:
        first = await session.scalar(select(func.min(RatedRow.match_id)))
    assert first is not None
    await store.matches.void(first, datetime.now(UTC), "two accounts")


async def moved(ada: Player, grace: Player, panel: Panel, plies: int) -> Panel:
    """Make moves on a board, and begin the next game when one is over; return the last board."""
    for _ in range(plies):
        if panel.turn is None:
            panel = await challenge(ada, grace, "alaric")
        mover = ada if panel.turn == ada.id else grace
        await by_button(mover, panel, next(iter(panel.moves)))
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    return panel


class Watch:
    """The callbacks that the event loop runs, with their CPU time and elapsed time, and timed transactions."""

    def __init__(self) -> None:
        self.cpu: dict[str, float] = {}
        """Longest CPU time of a callback in seconds, by its name."""
        self.elapsed: dict[str, float] = {}
        """Longest elapsed time of a callback in seconds, by its name. Other processes of the machine may add to it."""
        self.transactions: list[float] = []
        """Elapsed seconds of each transaction of a move, including the time that it waited for its turn."""

    @contextmanager
    def callbacks(self) -> Iterator[None]:
        """Watch the event loop while the context lasts."""
        run = asyncio.Handle._run

        def timed(handle: Any) -> None:
            began, elapsed = thread_time(), perf_counter()
            run(handle)
            passed, elapsed = thread_time() - began, perf_counter() - elapsed
            task = getattr(handle._callback, "__self__", None)
            called = task.get_coro() if isinstance(task, asyncio.Task) else handle._callback
            name = getattr(called, "__qualname__", type(called).__name__)
            self.cpu[name] = max(passed, self.cpu.get(name, 0.0))
            self.elapsed[name] = max(elapsed, self.elapsed.get(name, 0.0))

        gc.collect()
        gc.freeze()  # As the bot does when it has imported everything.
        try:
            with patch.object(asyncio.Handle, "_run", timed):
                yield
        finally:
            gc.unfreeze()

    @contextmanager
    def moves(self, bot: Pencilbox) -> Iterator[None]:
        """Time the two transactions of a move while the context lasts."""

        def timed(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def run(*of: Any, **named: Any) -> Any:
                began = perf_counter()
                try:
                    return await method(*of, **named)
                finally:
                    self.transactions.append(perf_counter() - began)

            return run

        store = bot.services.store
        with ExitStack() as patches:
            for part, name in ((store.matches, "append"), (store.posts, "keep")):
                patches.enter_context(patch.object(part, name, timed(getattr(part, name))))
            yield

    def report(self, what: str, helps: list[float]) -> None:
        blocking = max(self.elapsed, key=lambda it: self.elapsed[it])
        print(
            f"{what:<28}{_ms(max(helps))}{_ms(max(self.transactions))}{_ms(median(self.transactions))}"
            f"{_ms(max(self.cpu.values()))}{_ms(self.elapsed[blocking])}   {blocking}",
            flush=True,
        )


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:>10.1f}"


async def help_cpu(emmy: Player) -> float:
    """Return the CPU time of one `/help` in seconds, with what else the event loop did meanwhile."""
    began = thread_time()
    await emmy.command("help")
    await told(emmy, "")
    return thread_time() - began


async def measure(url: str | None, folder: Path, moves: int) -> None:
    async with (
        Sandbox() as local,
        bot_here(local.url, folder, database=url) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        # After a few moves everything is imported, and the tasks of the start have ended.
        panel = await moved(ada, grace, await challenge(ada, grace, "alaric"), MOVES_PER_HELP)
        await help_cpu(emmy)
        # The running games have no keys of their positions, like games of an earlier version. They are added once.
        while await bot.services.store.positions.unkeyed("alaric", 1):
            await asyncio.sleep(0.1)
        for what in ("nothing else", "ratings are recomputed"):
            watch, helps, done = Watch(), [], 0
            with watch.callbacks(), watch.moves(bot):
                if what != "nothing else":
                    await revert_first(bot)
                while done < moves:
                    panel = await moved(ada, grace, panel, MOVES_PER_HELP)
                    done += MOVES_PER_HELP
                    helps.append(await help_cpu(emmy))
            watch.report(what, helps)


def bench(kind: str, games: int, count: int, members: int, moves: int) -> None:
    """Measure on a database of a kind, `sqlite` or `postgresql`."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pencilbox-bench-")))
        url = None
        if kind == "postgresql":
            found = stack.enter_context(server())
            if found is None:
                print(MISSING)
                return
            url = found.create_database()
            stack.callback(found.drop_database, url)
        asyncio.run(fill_store(url, folder, games, count, members))
        print(f"\n{kind}, about {games:,} rated games and {count:,} running ones of {members:,} members")
        columns = ("/help CPU", "slowest", "median", "CPU", "blocked")
        print(" " * 28 + "".join(f"{it:>10}" for it in columns) + "   by", flush=True)
        asyncio.run(measure(url, folder, moves))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--games", type=int, default=100_000, help="the number of rated games, about")
    parser.add_argument("--running", type=int, default=10_000, help="the number of running games")
    parser.add_argument("--members", type=int, default=1_000)
    parser.add_argument("--moves", type=int, default=200)
    given = parser.parse_args()
    kinds = ["sqlite", "postgresql"] if given.database == "both" else [given.database]
    set_up_logs("error", "json")
    for kind in kinds:
        bench(kind, given.games, given.running, given.members, given.moves)
