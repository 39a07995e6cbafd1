"""The cost of leaderboards and profiles at size: `python -m tests.bench.ladder`.

Each database is filled twice, with a made-up year (`tests.bench.records`): with some members, servers and matches, and
with so many times as many. Every question is then put to both in turn, so that whatever else the machine does bears on
both alike, and printed with what the fastest quarter took at most of each size, the ratio of both, and how the bigger
one looks it up. Medians would tell more of what else the machine does.

`--times 100` is the size that the bot is made for: 100,000 members, 2,000 servers, two million matches. `--keep FOLDER`
keeps the databases there; asked again, they are brought up to date, so that an index can be tried on them in a minute.
"""

import argparse
import asyncio
import gc
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles

from db.address import File, Server, address
from db.engine import make_engine, open_store
from db.sessions import Sessions
from db.store import Store
from tests.bench.bulk import fill
from tests.bench.plans import plan
from tests.bench.population import Population, Size
from tests.bench.questions import Question, most_games, questions
from tests.bench.records import records
from tests.db.postgres import MISSING, server

SMALL = Size(members=1_000, guilds=20, matches=20_000)
TIMES = 10
ROUNDS = 24
"""Times that each question is asked at each size, after one that does not count."""

NAMES = ("small", "full")

Place = File | Server


async def prepare(places: Sequence[Place]) -> None:
    """Give some databases the newest tables and indexes."""
    for place in places:
        url = place.dsn if isinstance(place, Server) else f"sqlite:///{place.path}"
        async with open_store(url, Path()):
            pass


async def load(places: Sequence[Place], size: Size, seed: int = 1) -> None:
    """Make the tables of some databases, and fill all with the same."""
    await prepare(places)
    chance = random.Random(seed)
    await fill(places, records(Population(size, chance), chance))


async def measure(small: Place, full: Place) -> float:
    """Ask everything of both and print it; the worst ratio."""
    engines = [make_engine(place) for place in (small, full)]
    try:
        games = await most_games(engines[0])
        stores = [Store(Sessions(engine)) for engine in engines]
        asked = list(zip(*[await questions(engine, games) for engine in engines], strict=True))
        # Rounds about all: a while in which the machine is busy is then spread over all questions.
        rounds = [[await _ask(pair, stores) for pair in asked] for _ in range(ROUNDS + 1)][1:]
        worst = 0.0
        for pair, *spent in zip(asked, *rounds, strict=True):
            few, many = (quantiles(times, n=4)[0] for times in zip(*spent, strict=True))
            looked_up = await plan(engines[1], pair[1].ask(stores[1]))
            print(f"{pair[1].name:<58}{few:>10.1f}{many:>9.1f}{many / few:>8.2f}   {looked_up}")
            worst = max(worst, many / few)
        return worst
    finally:
        for engine in engines:
            await engine.dispose()


async def _ask(pair: Sequence[Question], stores: Sequence[Store]) -> tuple[float, ...]:
    """Milliseconds that each store takes to answer."""
    spent = []
    for question, store in zip(pair, stores, strict=True):
        begin = time.perf_counter()
        await question.ask(store)
        spent.append((time.perf_counter() - begin) * 1000)
    return tuple(spent)


@contextmanager
def databases(kind: str, keep: Path | None) -> Iterator[tuple[Place, Place] | None]:
    """Two databases of a kind, empty unless they were kept full; None where there is no server to make them on."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="pencilbox-bench-") as made:
            folder = Path(made) if keep is None else keep
            files = [folder / f"{name}.sqlite3" for name in NAMES]
            if not _filled(kind, keep):
                for file in files:
                    file.unlink(missing_ok=True)
            yield File(files[0]), File(files[1])
        return
    with server(None if keep is None else keep / "postgresql") as found:
        if found is None:
            print(MISSING)
            yield None
            return
        begin = found.database if _filled(kind, keep) else found.empty_database
        urls = [begin(f"pencilbox_bench_{name}") for name in NAMES]
        try:
            yield address(urls[0], Path()), address(urls[1], Path())
        finally:
            if keep is None:
                for url in urls:
                    found.drop_database(url)


def _mark(kind: str, keep: Path) -> Path:
    """The file that says that the databases of this kind are full."""
    return keep / f"{kind}-filled"


def _filled(kind: str, keep: Path | None) -> bool:
    return keep is not None and _mark(kind, keep).exists()


def bench(kinds: Sequence[str], times: int = TIMES, keep: Path | None = None) -> float | None:
    """The worst ratio on any of these kinds of databases, if there is one."""
    if keep is not None:
        keep = keep / str(times)
        keep.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        opened = {kind: stack.enter_context(databases(kind, keep)) for kind in kinds}
        pairs = {kind: pair for kind, pair in opened.items() if pair is not None}
        _fill({kind: pair for kind, pair in pairs.items() if not _filled(kind, keep)}, times)
        if keep is not None:
            for kind in pairs:
                _mark(kind, keep).touch()
        worst = 0.0
        for kind, pair in pairs.items():
            asyncio.run(prepare(pair))
            print(f"\n{kind:<58}{'small ms':>10}{'full ms':>9}{'ratio':>8}   plan at full size")
            worst = max(worst, asyncio.run(measure(*pair)))
    return worst or None


def _fill(pairs: Mapping[str, tuple[Place, Place]], times: int) -> None:
    gc.disable()  # Nothing is given up before all is in, so looking for it costs half the time and finds nothing.
    for number, size in enumerate((SMALL, SMALL.times(times)) if pairs else ()):
        begin = time.perf_counter()
        asyncio.run(load([pair[number] for pair in pairs.values()], size))
        held = f"{size.members:,} members, {size.guilds:,} servers, {size.matches:,} matches"
        print(f"{held}: filled in {time.perf_counter() - begin:,.0f} s", flush=True)
    gc.enable()


def main() -> None:
    options = argparse.ArgumentParser(description="What leaderboards and profiles cost at size.")
    options.add_argument(
        "--times", type=int, default=TIMES, help="how many times as big the bigger databases are"
    )
    options.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    options.add_argument(
        "--keep", type=Path, help="a folder for the full databases, which are then asked again"
    )
    given = options.parse_args()
    kinds = ("sqlite", "postgresql") if given.database == "both" else (given.database,)
    worst = bench(kinds, given.times, given.keep)
    if worst is not None:
        print(f"\nworst ratio: {worst:.2f}")


if __name__ == "__main__":
    main()
