"""The event loop of the bot is never blocked, on a store with many games and while ratings are recomputed."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.bench.large import Watch, fill_store, moved, revert_first
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import told
from tests.e2e.play import challenge
from tests.waiting import wait_while

LONGEST = 0.1
"""Seconds of CPU time that one callback may take."""
RATED, RUNNING, MEMBERS = 360, 600, 40
MOVES = 4


@pytest.mark.soak
async def test_no_callback_blocks_the_event_loop(contract: Contract, tmp_path: Path) -> None:
    """Members move and ask for help while ratings are recomputed from the oldest game on."""
    await fill_store(None, tmp_path, RATED, RUNNING, MEMBERS)
    watch = Watch()
    async with (
        Sandbox(observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        panel = await moved(ada, grace, await challenge(ada, grace, "alaric"), 1)
        with watch.callbacks():
            await revert_first(bot)
            assert await bot.services.store.ratings.recomputing()
            for _ in range(MOVES):
                panel = await moved(ada, grace, panel, 1)
                await emmy.command("help")
                await told(emmy, "")
            await wait_while(bot.services.store.ratings.recomputing)
    assert watch.cpu
    assert {what: seconds for what, seconds in watch.cpu.items() if seconds > LONGEST} == {}
