"""The stages on which faults are injected: one bot for those of Discord and of SQLite, one for those of PostgreSQL."""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bot.sandbox.exchange import Exchange
from tests.db.postgres import Cluster
from tests.faults import of_discord, of_sqlite
from tests.faults.catalogue import PlayedFault
from tests.faults.of_postgres import PostgresFaults
from tests.faults.scene import Counts, Scene

Observe = Callable[[Exchange], None] | None
STAGES = ("discord", "sqlite", "postgresql")


@asynccontextmanager
async def stage(
    name: str, observe: Observe, folder: Path
) -> AsyncIterator[tuple[Scene, Sequence[PlayedFault]] | None]:
    """A scene and the faults to inject on it; None where PostgreSQL is not installed."""
    if name != "postgresql":
        async with Scene.at(observe, folder) as scene:
            yield scene, of_discord.FAULTS if name == "discord" else of_sqlite.FAULTS
        return
    with Cluster.running() as cluster:
        if cluster is None:
            yield None
            return
        async with Scene.at(observe, folder, cluster.server.url) as scene:
            yield scene, PostgresFaults(cluster).faults


async def inject(scene: Scene, faults: Iterable[PlayedFault], times: int = 1) -> dict[PlayedFault, Counts]:
    """Inject each fault so many times, each time in a game of its own, and count what became of the moves."""
    counts: dict[PlayedFault, Counts] = defaultdict(Counts)
    for fault in faults:
        try:
            for _ in range(times):
                await scene.begin()
                await fault.inject(scene)
                await scene.count(counts[fault])
        except BaseException as error:
            error.add_note(f"The fault was: {fault.name}. The bot wrote:\n{scene.bot.log}")
            raise
    return counts
