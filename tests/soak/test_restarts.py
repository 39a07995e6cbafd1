"""`kill -9` at random moments of games of all kinds loses no accepted move and doubles none.

After each start every post is shown once, as it is stored, and no mention is left that does not hold.
"""

import os
from pathlib import Path

import pytest

from tests.contract.checker import Contract
from tests.soak.restarts import Restarts


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def database(request: pytest.FixtureRequest) -> str:
    """DATABASE_URL of a fresh database; nothing means the SQLite file in the data folder."""
    if request.param == "sqlite":
        return ""
    url: str = request.getfixturevalue("postgres_url")
    return url


KILLS = int(os.environ.get("PENCILBOX_KILLS", "500"))
"""The kills of the long test on each database."""


@pytest.mark.parametrize("kills", [3, pytest.param(KILLS, marks=pytest.mark.soak)])
async def test_killed_again_and_again(contract: Contract, tmp_path: Path, database: str, kills: int) -> None:
    async with Restarts.at(contract, tmp_path, database, seed=kills) as restarts:
        await survives(restarts, kills)


@pytest.mark.parametrize("kills", [pytest.param(KILLS, marks=pytest.mark.soak)])
async def test_one_of_two_processes_killed_again_and_again(
    contract: Contract, tmp_path: Path, postgres_url: str, kills: int
) -> None:
    """Two processes share a database; in each life one of them is killed, and the other one goes on."""
    async with Restarts.at(contract, tmp_path, postgres_url, seed=kills, processes=2) as restarts:
        await survives(restarts, kills)


async def survives(restarts: Restarts, kills: int) -> None:
    ledger, lives = restarts.move_log, 0
    await restarts.prepare()
    # On a busy machine a life may be too short for a move of a member; a few more will do.
    while lives < kills or (not ledger.tried and lives < 10 * kills):
        await restarts.life()
        lives += 1
    await restarts.last()
    print(f"{lives} kills, {len(ledger.shown)} matches, {ledger.moves} moves, {len(ledger.tried)} tried")
    print(dict(restarts.done))
    assert ledger.moves > 0
