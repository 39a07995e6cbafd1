"""What members wait for on a large store: `python -m tests.bench.large --games 100000 --running 10000`.

Fills an SQLite file with rated games of a made-up year and with running games, and lets the real bot serve it on a
local Discord. Two members play; meanwhile the oldest rated game is reverted, and another member asks for `/help`.
Prints the slowest transaction of a move, the CPU time of `/help` beside that on an empty store, and the longest time
for which the event loop was blocked. The local Discord runs on the same loop, so its work counts as well.
"""

import argparse
import asyncio
import gc
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

from sqlalchemy import func, select

from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from db.address import File
from db.engine import open_store
from db.models import RatedRow
from tests.bench.bulk import fill
from tests.bench.population import Population, Size
from tests.bench.records import records
from tests.bench.running import running
from tests.contract.player import Player, players
from tests.db.migrated import lay
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import told
from tests.e2e.panels import panel_at
from tests.e2e.play import by_button, challenge

MOVES = 60
HELPS = 10


class Watch:
    """Notes how long transactions take, and for how long the event loop is blocked."""

    def __init__(self) -> None:
        self.transactions: list[float] = []
        self.blocked = 0.0

    def timed(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def run(*of: Any, **named: Any) -> Any:
            began = perf_counter()
            try:
                return await method(*of, **named)
            finally:
                self.transactions.append(perf_counter() - began)

        return run

    @asynccontextmanager
    async def loop(self) -> AsyncIterator[None]:
        """Watch the event loop while the context lasts."""

        async def tick() -> None:
            while True:
                began = perf_counter()
                await asyncio.sleep(0.001)
                self.blocked = max(self.blocked, perf_counter() - began - 0.001)

        ticking = asyncio.create_task(tick())
        yield
        ticking.cancel()
        await asyncio.gather(ticking, return_exceptions=True)


async def play(ada: Player, grace: Player, moves: int) -> None:
    by_id = {ada.id: ada, grace.id: grace}
    panel = await challenge(ada, grace, "alaric")
    for _ in range(moves):
        if panel.turn is None:
            panel = await challenge(ada, grace, "alaric")
        assert panel.turn is not None
        mover = by_id[panel.turn]
        await by_button(mover, panel, next(iter(panel.moves)))
        panel = await panel_at(mover, panel.match, panel.plies + 1)


async def help_cpu(bot: Pencilbox, emmy: Player) -> float:
    """The median CPU time of the loop's thread for one `/help`, with what the local Discord needs for it."""
    taken = []
    for _ in range(HELPS):
        await asyncio.sleep(0.3)
        began = thread_time()
        await emmy.command("help")
        await told(emmy, "")
        taken.append(thread_time() - began)
    return median(taken)


async def measure(folder: Path, first: int | None) -> None:
    gc.collect()
    gc.freeze()  # As the bot does when it has imported everything; see bot/__main__.py.
    watch = Watch()
    async with (
        Sandbox() as local,
        bot_here(local.url, folder) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        store: Any = bot.services.store
        await play(ada, grace, 4)  # Everything is imported by now.
        store.matches.append, store.posts.keep = (
            watch.timed(store.matches.append),
            watch.timed(store.posts.keep),
        )
        print(f"  /help: {1000 * await help_cpu(bot, emmy):.1f} ms of CPU")
        async with watch.loop():
            await play(ada, grace, MOVES)
        report("moves", watch)
        if first is None:
            return
        watch.transactions.clear()
        watch.blocked = 0.0
        async with watch.loop():
            await store.matches.void(first, datetime.now(UTC), "two accounts")
            await play(ada, grace, MOVES)
        report("moves while ratings are recomputed", watch)
        print(f"  ratings are being recomputed still: {await store.ratings.recomputing()}")


def report(what: str, watch: Watch) -> None:
    slowest, usual = max(watch.transactions), median(watch.transactions)
    print(
        f"  {what}: transactions {1000 * usual:.1f} ms, at most {1000 * slowest:.0f} ms; "
        f"event loop blocked at most {1000 * watch.blocked:.0f} ms"
    )


async def main(games: int, count: int, members: int) -> None:
    with TemporaryDirectory() as empty:
        print("empty store")
        await measure(Path(empty), None)
    with TemporaryDirectory() as folder:
        chance = random.Random(1)
        size = Size(members, max(members // 50, 3), games * 10 // 9)
        file = File(lay(Path(folder)))
        await fill([file], records(Population(size, chance), chance))
        await fill([file], running(count, size.matches + 1, chance))
        async with open_store(None, Path(folder)) as store, store.sessions.read() as session:
            found = select(func.min(RatedRow.match_id), func.count()).select_from(RatedRow)
            first, rated = (await session.execute(found)).one()
        print(f"{rated:,} rated games and {count:,} running games of {members:,} members")
        await measure(Path(folder), first)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--running", type=int, default=10_000)
    parser.add_argument("--members", type=int, default=1_000)
    given = parser.parse_args()
    asyncio.run(main(given.games, given.running, given.members))
