"""`kill -9` at random moments of games of all kinds loses no accepted move, doubles none, and leaves one board."""

from pathlib import Path

import pytest

from tests.contract.checker import Contract
from tests.soak.restarts import Restarts


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """DATABASE_URL of a fresh database; nothing means the SQLite file in the data folder."""
    if request.param == "sqlite":
        return ""
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.mark.parametrize("kills", [3, pytest.param(500, marks=pytest.mark.soak)])
async def test_killed_again_and_again(contract: Contract, tmp_path: Path, database: str, kills: int) -> None:
    async with Restarts.at(contract, tmp_path, database, seed=kills) as restarts:
        ledger, lives = restarts.move_log, 0
        # On a busy machine a life may be too short for a move of a member; a few more will do.
        while lives < kills or (not ledger.tried and lives < 10 * kills):
            await restarts.life()
            lives += 1
        await restarts.last()
        print(f"{lives} kills, {len(ledger.shown)} matches, {ledger.moves} moves, {len(ledger.tried)} tried")
        assert ledger.moves > 0
