"""The event loop of the bot is never blocked, on a store with many games and while ratings are recomputed."""

import asyncio
import gc
import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import thread_time
from typing import Any
from unittest.mock import patch

from sqlalchemy import func, select

from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from db.address import File
from db.engine import open_store
from db.models import RatedRow
from rules.core.match import Match
from rules.games import find
from rules.puzzles.stock import stock
from tests.bench.bulk import fill
from tests.bench.population import Population, Size
from tests.bench.records import records
from tests.bench.running import running
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.migrated import lay
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import told
from tests.e2e.panels import Panel, panel_at
from tests.e2e.play import by_button, challenge

LONGEST = 0.1
"""Seconds of CPU time that one callback may take."""
RATED, RUNNING = 400, 600
MOVES = 4


@contextmanager
def callbacks() -> Iterator[dict[str, float]]:
    """Yield the longest CPU time of the callbacks that run meanwhile, in seconds, by their names."""
    taken: dict[str, float] = {}
    run = asyncio.Handle._run

    def timed(handle: Any) -> None:
        began = thread_time()
        run(handle)
        passed = thread_time() - began
        task = getattr(handle._callback, "__self__", None)
        called = task.get_coro() if isinstance(task, asyncio.Task) else handle._callback
        name = getattr(called, "__qualname__", type(called).__name__)
        taken[name] = max(passed, taken.get(name, 0.0))

    gc.collect()
    gc.freeze()  # As the bot does when it has imported everything.
    try:
        with patch.object(asyncio.Handle, "_run", timed):
            yield taken
    finally:
        gc.unfreeze()


async def test_no_callback_blocks_the_event_loop(contract: Contract, tmp_path: Path) -> None:
    """Members move and ask for help while ratings are recomputed from the oldest game on."""
    await fill_store(tmp_path)
    async with (
        Sandbox(observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        panel = await moved(ada, grace, await challenge(ada, grace, "alaric"), 1)
        with callbacks() as taken:
            await revert_first(bot)
            assert await bot.services.store.ratings.recomputing()
            for _ in range(MOVES):
                panel = await moved(ada, grace, panel, 1)
                await emmy.command("help")
                await told(emmy, "")
            async with asyncio.timeout(60):
                while await bot.services.store.ratings.recomputing():
                    await asyncio.sleep(0.01)
        assert {what: seconds for what, seconds in taken.items() if seconds > LONGEST} == {}


async def fill_store(folder: Path) -> None:
    """Store rated games, and running games that begin like the puzzle of the day."""
    puzzle = next(it for it in stock().values() if it.game == "alaric")
    setup = puzzle.match.setup
    start = Match.start(find(setup.game), dict(setup.options), setup.players)
    chance = random.Random(1)
    size = Size(members=40, guilds=3, matches=RATED)
    file = File(lay(folder))
    await fill([file], records(Population(size, chance), chance))
    await fill([file], running(RUNNING, size.matches + 1, chance, RUNNING * [start]))
    async with open_store(None, folder) as store:
        await store.puzzles.choose(datetime.now(UTC).date(), puzzle.name)


async def revert_first(bot: Pencilbox) -> None:
    """Revert the result of the oldest rated game."""
    store: Any = bot.services.store
    async with store.sessions.read() as session:
        first = await session.scalar(select(func.min(RatedRow.match_id)))
    assert first is not None
    await store.matches.void(first, datetime.now(UTC), "two accounts")


async def moved(ada: Player, grace: Player, panel: Panel, plies: int) -> Panel:
    """Make moves on a board; return the last board."""
    for _ in range(plies):
        mover = ada if panel.turn == ada.id else grace
        await by_button(mover, panel, next(iter(panel.moves)))
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    return panel
