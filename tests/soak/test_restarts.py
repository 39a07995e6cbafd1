"""`kill -9` at random moments of games of all kinds loses no accepted move and doubles none.

In the end every post is shown once, as it is stored, and no mention is left that does not hold.
"""

import os

import pytest

from tests.contract.checker import Contract
from tests.db.postgres import PostgresServer
from tests.soak.kills import killed

KILLS = int(os.environ.get("PENCILBOX_KILLS", "500"))
"""The kills of the long tests on each database."""


@pytest.mark.soak
@pytest.mark.parametrize("kills", [KILLS])
async def test_killed_again_and_again(contract: Contract, kills: int) -> None:
    """`make test` kills a bot on SQLite in `tests/e2e/matches/test_killed_between.py`, between chosen steps."""
    await assert_nothing_wrong(contract, kills)


@pytest.mark.soak
@pytest.mark.parametrize(("kills", "bots"), [(KILLS, 1), (KILLS, 2)])
async def test_processes_on_postgresql_killed_again_and_again(
    contract: Contract, postgres_server: PostgresServer, kills: int, bots: int
) -> None:
    """Several processes share a database; in each life one of them is killed, and the others go on.

    `make test` kills one of two processes in `tests/e2e/process/test_shards.py`.
    """
    await assert_nothing_wrong(contract, kills, bots, postgres_server)


async def assert_nothing_wrong(
    contract: Contract, kills: int, bots: int = 1, postgres: PostgresServer | None = None
) -> None:
    ledger, wrong = await killed(kills, bots, observe=contract, postgres=postgres)
    assert not wrong, "\n".join(wrong)
    assert ledger.moves > 0
