"""A killed search or a killed bot costs a repeated search, and no game is stuck."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.computers.kills import Kills

MANY = [1, pytest.param(50, marks=pytest.mark.soak)]


@pytest.mark.parametrize("hits", MANY)
async def test_searching_processes_are_killed(contract: Contract, tmp_path: Path, hits: int) -> None:
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, *_):
        killing = Kills(local, ada, tmp_path, hits)
        await killing.of_workers(hits)
        print(
            f"{killing.kills} kills, {killing.hits} of them in the middle of a search, in {killing.games} games"
        )


@pytest.mark.parametrize("hits", MANY)
async def test_the_bot_is_killed(contract: Contract, tmp_path: Path, hits: int) -> None:
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, *_):
        killing = Kills(local, ada, tmp_path, hits)
        await killing.of_the_bot(hits)
        print(
            f"{killing.kills} kills, {killing.hits} of them in the middle of a search, in {killing.games} games"
        )
