"""What leaderboards and profiles cost at size: `python -m tests.bench.ladder`.

Each database is filled twice, with a made-up year (`tests.bench.records`): with as many members, servers and matches as
asked for, and with a hundredth of them. Every question is then put to both in turn, so that whatever else the machine
does bears on both alike, and printed with the median of each size, their ratio, and how the bigger one looks it up.
Full size takes some 15 GB in the temporary folder for both databases, and the better part of an hour.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from db.address import File, Server, address
from db.engine import make_engine, open_store
from db.sessions import Sessions
from db.store import SqlStore
from tests.bench.bulk import fill
from tests.bench.crowd import Crowd, Size
from tests.bench.plans import plan
from tests.bench.questions import Question, questions
from tests.bench.records import records
from tests.db.postgres import MISSING, server

FULL = Size(members=100_000, guilds=2_000, matches=2_000_000)
ROUNDS = 15
"""Times that each question is asked at each size, after one that does not count."""

Place = File | Server


async def load(places: Sequence[Place], size: Size, seed: int = 1) -> None:
    """Make the tables of some databases, and fill all with the same."""
    for place in places:
        url = place.dsn if isinstance(place, Server) else f"sqlite:///{place.path}"
        async with open_store(url, Path()):
            pass
    chance = random.Random(seed)
    await fill(places, records(Crowd(size, chance).matches(), chance))


async def measure(small: Place, full: Place) -> float:
    """Ask everything of both and print it; the worst ratio."""
    engines = [make_engine(place) for place in (small, full)]
    try:
        stores = [SqlStore(Sessions(engine)) for engine in engines]
        asked = list(zip(*[await questions(engine) for engine in engines], strict=True))
        # Rounds about all: a while in which the machine is busy is then spread over all questions.
        rounds = [[await _ask(pair, stores) for pair in asked] for _ in range(ROUNDS + 1)][1:]
        worst = 0.0
        for pair, *spent in zip(asked, *rounds, strict=True):
            one, hundred = (median(times) for times in zip(*spent, strict=True))
            looked_up = await plan(engines[1], pair[1].ask(stores[1]))
            print(f"{pair[1].name:<42}{one:>10.1f}{hundred:>9.1f}{hundred / one:>8.2f}   {looked_up}")
            worst = max(worst, hundred / one)
        return worst
    finally:
        for engine in engines:
            await engine.dispose()


async def _ask(pair: Sequence[Question], stores: Sequence[SqlStore]) -> tuple[float, ...]:
    """Milliseconds that each store takes to answer."""
    spent = []
    for question, store in zip(pair, stores, strict=True):
        begin = time.perf_counter()
        await question.ask(store)
        spent.append((time.perf_counter() - begin) * 1000)
    return tuple(spent)


@contextmanager
def databases(kind: str) -> Iterator[tuple[Place, Place] | None]:
    """Two empty databases of a kind; None where there is no server to make them on."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="pencilbox-bench-") as folder:
            yield File(Path(folder, "small.sqlite3")), File(Path(folder, "full.sqlite3"))
        return
    with server() as found:
        if found is None:
            print(MISSING)
            yield None
            return
        urls = [found.create_database() for _ in range(2)]
        try:
            yield address(urls[0], Path()), address(urls[1], Path())
        finally:
            for url in urls:
                found.drop_database(url)


def bench(kinds: Sequence[str], full: Size) -> float | None:
    """The worst ratio on any of these kinds of databases, if there is one."""
    with ExitStack() as stack:
        opened = {kind: stack.enter_context(databases(kind)) for kind in kinds}
        pairs = {kind: pair for kind, pair in opened.items() if pair is not None}
        for number, size in enumerate((full.hundredth(), full)):
            begin = time.perf_counter()
            asyncio.run(load([pair[number] for pair in pairs.values()], size))
            held = f"{size.members:,} members, {size.guilds:,} servers, {size.matches:,} matches"
            print(f"{held}: filled in {time.perf_counter() - begin:,.0f} s", flush=True)
        worst = 0.0
        for kind, pair in pairs.items():
            print(f"\n{kind:<42}{'small ms':>10}{'full ms':>9}{'ratio':>8}   plan at full size")
            worst = max(worst, asyncio.run(measure(*pair)))
    return worst or None


def main() -> None:
    options = argparse.ArgumentParser(description="What leaderboards and profiles cost at size.")
    options.add_argument("--members", type=int, default=FULL.members)
    options.add_argument("--guilds", type=int, default=FULL.guilds)
    options.add_argument("--matches", type=int, default=FULL.matches)
    options.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    given = options.parse_args()
    kinds = ("sqlite", "postgresql") if given.database == "both" else (given.database,)
    worst = bench(kinds, Size(given.members, given.guilds, given.matches))
    if worst is not None:
        print(f"\nworst ratio: {worst:.2f}")


if __name__ == "__main__":
    main()
