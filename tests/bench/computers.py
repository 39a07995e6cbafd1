"""A move in one game while four searches run for others: `python -m tests.bench.computers`.

The same moves are made with and without the searches, in turn, so that both see the same machine: played, stored in
SQLite and drawn, as the bot does after a press. Prints the medians in milliseconds and their ratio, and the processor
time of the bot's own process, which the searches hardly touch.
"""

import asyncio
import contextlib
import statistics
import tempfile
import time
from pathlib import Path

import render
from bot.app.computers.thinker import Budget, NoChoice
from bot.search import SearchWorkers
from db.engine import open_store
from rules.core.match import Match
from rules.games import find
from tests.app.conftest import Host
from tests.db.migrated import lay

SEARCHES = 4
ROUNDS = 8
MOVES = 12
"""Moves of one round, half of them by each player."""
WARM_UP = 2.0
"""Seconds for the searching processes to start."""

Times = list[tuple[float, float]]
"""Of each move: milliseconds, and milliseconds of this process's processor time."""


async def moves(host: Host) -> Times:
    """Play a round of moves in a new game and return their times."""
    table = await host.begin("alaric", "standard")
    times: Times = []
    for number in range(MOVES):
        texts = table.match.legal() or ()
        began, used = time.perf_counter(), time.process_time()
        user = table.waiting_for[0]
        table = await host.services.matches.play(table.id, user, texts[number % len(texts)])
        await asyncio.to_thread(render.draw, table.match.observe(None))
        times.append((1000 * (time.perf_counter() - began), 1000 * (time.process_time() - used)))
    await host.services.matches.resign(table.id, table.stored.users[0])
    return times


async def search_for_ever(workers: SearchWorkers, seed: int) -> None:
    """Keep one searching process busy."""
    match = Match.start(find("cocomposite"), {}, 2)
    with contextlib.suppress(NoChoice):
        while True:
            await workers.choose(match, 0, Budget(level=5), seed)


async def measure() -> None:
    alone: Times = []
    beside: Times = []
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder))
        async with open_store(None, Path(folder)) as store:
            host = Host(store)
            await moves(host)
            for _ in range(ROUNDS):
                alone += await moves(host)
                workers = SearchWorkers(SEARCHES, 600)
                searches = [asyncio.create_task(search_for_ever(workers, seed)) for seed in range(SEARCHES)]
                await asyncio.sleep(WARM_UP)
                beside += await moves(host)
                for search in searches:
                    search.cancel()
                await asyncio.gather(*searches, return_exceptions=True)
                await workers.close()
            await host.search.close()
    for index, what in enumerate(("elapsed", "own processor time")):
        usual, searching = (statistics.median(it[index] for it in times) for times in (alone, beside))
        print(
            f"{what}: {usual:.1f} ms alone, {searching:.1f} ms beside {SEARCHES} searches: {searching / usual:.2f}"
        )


if __name__ == "__main__":
    asyncio.run(measure())
