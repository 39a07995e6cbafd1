"""What members wait for when the oldest of many rated games is reverted: `python -m tests.bench.revert --games 2300`.

Fills an SQLite file with rated games, reverts the first, and recomputes the ratings as the bot does. Meanwhile another
member moves every 50 ms. Prints the longest and the median time that a move took, the longest time for which the event
loop was blocked, and the seconds until the ratings are correct.
"""

import argparse
import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

from bot.app.standings.ratings import PAUSE_S
from db.address import File
from db.engine import open_store
from db.models import MatchRow, RatedRow, RatedSeatRow, SeatRow
from db.rating_math.leaderboards import outcomes_of
from db.store import SqlStore
from rules.core.match import Ply
from tests.bench.bulk import fill
from tests.bench.records import Batch
from tests.db.given import GUILD, SKULL, started
from tests.db.migrated import lay

END = datetime(2026, 11, 20, tzinfo=UTC)
YEAR = timedelta(days=365)
MANY = 20_000
GAMES = ("skull", "maze", "boxes")


def batches(games: int, members: int) -> Iterator[Batch]:
    """Yield the rows of rated games, over a year, without the skills before them."""
    chance = random.Random(1)
    for start in range(0, games, MANY):
        matches, seats, rated, rated_seats = [], [], [], []
        for number in range(start + 1, min(start + MANY, games) + 1):
            at = END - YEAR + YEAR * number / games
            game, guild = chance.choice(GAMES), GUILD + chance.randrange(20)
            setup = (game, SKULL.options, 2, 1)
            matches.append(
                (number, *setup, guild, guild + 1, 20, at, at, guild + 1, guild + number, 20, True)
            )
            rated.append((number, number, game, 1.0, True))
            users = chance.sample(range(1000, 1000 + members), 2)
            ranks = chance.choice(((1, 2), (2, 1), (1, 1)))
            for seat, (user, rank, outcome) in enumerate(zip(users, ranks, outcomes_of(ranks), strict=True)):
                seats.append((number, seat, user, outcome, at))
                rated_seats.append((number, seat, user, at, rank, (), game, guild, True, outcome))
        yield from ((MatchRow, matches), (SeatRow, seats), (RatedRow, rated), (RatedSeatRow, rated_seats))


async def measure(store: SqlStore) -> None:
    """Revert the first game and print what others wait for."""
    live = await started(store, (5001, 5002), at=END)
    waited: list[float] = []
    blocked = [0.0]

    async def move() -> None:
        for ply in range(1_000_000):
            began = perf_counter()
            await store.append(live.id, ply, Ply(ply % 2, "a1"), END, None)
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
    await store.void(1, END, "two accounts")
    print(f"the reverting transaction took {perf_counter() - began:.3f} s")
    chunks: list[float] = []
    more = True
    while more:
        chunk = perf_counter()
        more = await store.recompute_ratings(END)
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
        file = lay(Path(folder))
        await fill([File(file)], batches(games, members))
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("INSERT INTO outdated_ratings (id) VALUES (1)")
        async with open_store(None, Path(folder)) as store:
            began = perf_counter()
            await store.renew_ratings(END)
            print(
                f"{games} rated games of {members} members; all ratings computed in {perf_counter() - began:.1f} s"
            )
            await measure(store)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2300)
    parser.add_argument("--members", type=int, default=40)
    given = parser.parse_args()
    asyncio.run(main(given.games, given.members))
