"""A move in one game while four searches run for others: `python -m tests.bench.computers` (on Linux).

Of each two moves one is made while the searching processes are halted, so that both kinds see the same machine. A move
is played, stored in SQLite and drawn, as the bot does after a press. Prints the medians in milliseconds and their
ratio, also of the processor time of the bot's own process.
"""

import asyncio
import contextlib
import os
import signal
import statistics
import tempfile
import time
from pathlib import Path

import render
from bot.app.searches import NoChoice
from bot.search.workers import SearchWorkers
from db.engine import open_store
from rules.core.match import Match
from rules.games import find
from rules.players.levels import Budget
from tests.app.conftest import Host
from tests.db.migrated import lay
from tests.search.test_workers import searching

SEARCHES = 4
GAMES = 16
MOVES = 12
"""Moves of one game, half of them by each player."""
WARM_UP = 3.0
"""Seconds for the searching processes to start."""
SETTLING = 0.05
"""Seconds before a move in which the searching processes halt or go on."""

Times = list[tuple[float, float]]
"""Of each move: milliseconds, and milliseconds of this process's processor time."""


async def play(host: Host, alone: Times, beside: Times) -> None:
    """Play a game; every second move is made beside the searches."""
    table = await host.begin("alaric", "standard")
    for number in range(MOVES):
        beside_searches = bool(number // 2 % 2)
        for process in searching():
            os.kill(process, signal.SIGCONT if beside_searches else signal.SIGSTOP)
        await asyncio.sleep(SETTLING)
        texts = table.match.legal() or ()
        began, used = time.perf_counter(), time.process_time()
        table = await host.services.matches.play(table.id, table.waiting_for[0], texts[number % len(texts)])
        await asyncio.to_thread(render.draw, table.match.observe(None))
        spent = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - used)
        (beside if beside_searches else alone).append(spent)
    await host.services.matches.resign(table.id, table.stored.users[0])


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
            workers = SearchWorkers(SEARCHES, 600)
            searches = [asyncio.create_task(search_for_ever(workers, seed)) for seed in range(SEARCHES)]
            await asyncio.sleep(WARM_UP)
            await play(host, [], [])
            for _ in range(GAMES):
                await play(host, alone, beside)
            for search in searches:
                search.cancel()
            await asyncio.gather(*searches, return_exceptions=True)
            await workers.close()
    for index, what in enumerate(("elapsed", "own processor time")):
        usual, searched = (statistics.median(it[index] for it in times) for times in (alone, beside))
        print(
            f"{what}: {usual:.1f} ms alone, {searched:.1f} ms beside {SEARCHES} searches: {searched / usual:.2f}"
        )


if __name__ == "__main__":
    asyncio.run(measure())
