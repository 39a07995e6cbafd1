"""What members wait for when the oldest of many rated games is reverted: `python -m tests.bench.revert --games 2300`.

Fills an SQLite file with a made-up year (`tests.bench.records`), reverts the first game, and recomputes the ratings as
the bot does. Meanwhile another member moves every 50 ms. Prints the longest and the median time that a move took, the
longest time for which the event loop was blocked, and the seconds until all is done.
"""

import argparse
import asyncio
import random
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

from sqlalchemy import func, select

from bot.app.standings.ratings import PAUSE_S
from db.address import File
from db.engine import open_store
from db.models import RatedRow
from db.store import Store
from db.values.matches import NewEntry
from rules.core.match import Ply
from tests.bench.bulk import fill
from tests.bench.population import NOW, Population, Size
from tests.bench.records import records
from tests.db.given import started
from tests.db.migrated import lay


async def measure(store: Store, first: int) -> None:
    """Revert the first game and print what others wait for."""
    live = await started(store, (5001, 5002), at=NOW)
    waited: list[float] = []
    blocked = [0.0]

    async def move() -> None:
        for ply in range(1_000_000):
            began = perf_counter()
            await store.matches.append(live.id, ply, NewEntry(Ply(ply % 2, "a1"), NOW))
            waited.append(perf_counter() - began)
            await asyncio.sleep(0.05)

    async def tick() -> None:
        while True:
            began = perf_counter()
            await asyncio.sleep(0.001)
            blocked[0] = max(blocked[0], perf_counter() - began - 0.001)

    others = [asyncio.create_task(move()), asyncio.create_task(tick())]
    await asyncio.sleep(2)
    print(
        f"before: a move takes {median(waited):.3f} s, at most {max(waited):.3f} s; loop {blocked[0]:.3f} s"
    )
    waited.clear()
    blocked[0] = 0.0
    began, busy = perf_counter(), thread_time()
    await store.matches.void(first, NOW, "two accounts")
    print(f"the reverting transaction took {perf_counter() - began:.3f} s")
    chunks: list[float] = []
    more = True
    while more:
        chunk = perf_counter()
        more = await store.ratings.recompute(NOW)
        chunks.append(perf_counter() - chunk)
        await asyncio.sleep(PAUSE_S)
    took = perf_counter() - began
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    print(
        f"{len(chunks)} chunks, at most {max(chunks):.3f} s, median {median(chunks):.3f} s; in all {took:.1f} s\n"
        f"{len(waited)} moves meanwhile: at most {max(waited):.3f} s, median {median(waited):.3f} s\n"
        f"event loop blocked at most {blocked[0]:.3f} s; processor time of its thread {thread_time() - busy:.1f} s"
    )


async def main(games: int, members: int) -> None:
    with TemporaryDirectory() as folder:
        chance = random.Random(1)
        # Nine of ten games of a population are rated.
        size = Size(members, max(members // 50, 3), games * 10 // 9)
        await fill([File(lay(Path(folder)))], records(Population(size, chance), chance))
        async with open_store(None, Path(folder)) as store:
            async with store.sessions.read() as session:
                first, rated = (
                    await session.execute(
                        select(func.min(RatedRow.match_id), func.count()).select_from(RatedRow)
                    )
                ).one()
            print(f"{rated:,} rated games of {members:,} members")
            await measure(store, first)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2300)
    parser.add_argument("--members", type=int, default=40)
    given = parser.parse_args()
    asyncio.run(main(given.games, given.members))
