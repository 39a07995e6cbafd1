"""A local Discord under the contract, a real bot process on it, and its members."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club


@pytest.fixture
async def club(contract: Contract, tmp_path: Path) -> AsyncIterator[Club]:
    async with (
        Sandbox(
            members=("Ada", "Grace", "Emmy"),
            channels=("general", "lounge"),
            privileged=False,
            observe=contract,
        ) as local,
        bot_at(local.url, tmp_path) as bot,
        players(local.url) as members,
    ):
        ada, grace, emmy = members
        yield Club(local, bot, ada, grace, emmy)
        assert "Traceback" not in bot.log, bot.log
