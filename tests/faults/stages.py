"""The stages on which faults are injected, each with a bot and a local Discord of its own."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from bot.sandbox.rest.wire import Exchange
from tests.db.postgres import Cluster
from tests.faults import (
    of_answers,
    of_boards,
    of_direct_messages,
    of_discord,
    of_gateway,
    of_servers,
    of_sqlite,
)
from tests.faults.catalogue import PlayedFault, Seen
from tests.faults.of_postgres import PostgresFaults
from tests.faults.scene import Counts, Scene

Observe = Callable[[Exchange], None] | None
ON_SQLITE = {
    "answers": of_answers.FAULTS,
    "boards": of_boards.FAULTS,
    "everything": of_discord.FAULTS,
    "gateway": of_gateway.FAULTS,
    "servers": of_servers.FAULTS,
    # A bot that was told to pause direct messages cannot report missing permissions.
    "direct messages": of_direct_messages.FAULTS,
    "sqlite": of_sqlite.FAULTS,
}
"""By stage: the faults that are injected with a bot on SQLite."""
STAGES = (*ON_SQLITE, "postgresql")
TOGETHER = "sqlite bot"
"""One stage for all faults that are injected with a bot on SQLite."""


@asynccontextmanager
async def stage(
    name: str, observe: Observe, folder: Path, wanted: Callable[[PlayedFault], bool] = lambda _: True
) -> AsyncIterator[tuple[Scene, Sequence[PlayedFault]] | None]:
    """A scene and the wanted faults to inject on it; None where PostgreSQL is not installed."""
    if name != "postgresql":
        faults = ON_SQLITE[name] if name != TOGETHER else chain.from_iterable(ON_SQLITE.values())
        async with Scene.at(observe, folder) as scene:
            yield scene, list(filter(wanted, faults))
        return
    with Cluster.running() as cluster:
        if cluster is None:
            yield None
            return
        async with Scene.at(observe, folder, cluster.server.url) as scene:
            yield scene, list(filter(wanted, PostgresFaults(cluster).faults))


@dataclass
class Report:
    """The fate of the moves under a fault, and the log lines and failures that operators saw for each injection."""

    counts: Counts = field(default_factory=Counts)
    lines: list[Counter[str]] = field(default_factory=list)
    failures: list[Counter[str]] = field(default_factory=list)


async def inject(scene: Scene, fault: PlayedFault, times: int = 1) -> Report:
    """Inject a fault so many times, each time in a game of its own, and count what became of the moves.

    Raises AssertionError if members or operators see something else than the fault says.
    """
    report = Report()
    for _ in range(times):
        try:
            await scene.begin()
            # A line that was logged within a minute is not logged again.
            lines = [replace(it, least=0) if scene.operators.lately(it.what) else it for it in fault.lines]
            await fault.inject(scene)
            await scene.count(report.counts)
            report.lines.append(only(lines, scene.operators.alarms()))
            report.failures.append(only(fault.counted, await scene.operators.failures()))
        except BaseException as error:
            error.add_note(f"The fault was: {fault.name}. The bot wrote:\n{scene.bot.log}")
            raise
    return report


def only(expected: Iterable[Seen], found: Counter[str]) -> Counter[str]:
    """Return how often each of these was seen. Raises AssertionError if that is wrong, or if others were seen."""
    named = {
        one.what: sum(times for what, times in found.items() if what.startswith(one.what)) for one in expected
    }
    others = [what for what in found if not what.startswith(tuple(named))]
    wrong = [one.what for one in expected if not one.least <= named[one.what] <= one.most]
    assert [*others, *wrong] == [], f"Seen: {dict(found)}. Expected: {list(expected)}."
    return Counter(named)
