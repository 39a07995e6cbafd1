"""`kill -9` at random moments of games of all kinds loses no accepted move and doubles none.

In the end every post is shown once, as it is stored, and no mention is left that does not hold.
"""

import asyncio
import os
from unittest.mock import patch

import pytest

from bot.sandbox import messages
from tests.contract.checker import Contract
from tests.db.postgres import PostgresServer
from tests.many_processes.deployment import CHANNELS, Deployment, Size, deployment
from tests.many_processes.ledger import Ledger
from tests.seeds import chance_for
from tests.soak.campaign import Campaign, seats_at

KILLS = int(os.environ.get("PENCILBOX_KILLS", "500"))
"""The kills of the long tests on each database."""
SERVERS = 2
"""In the first one members offer draws beside their games, in the second one they let challenges wait."""
TABLES = 3
"""Channels of each server in which two members play."""
PACE = 4.0
"""Moves of members in a second."""
LONGEST = 4.0
"""Seconds of play before a kill, at most: several moves, so that kills fall before, within and after one."""
TAKEN_OVER = 0.5
"""The part of the kills after which another process takes over the shards before one is started again."""
WITH_ACTIVITIES = 50
"""The fewest kills in a run in which members also play computers and offer draws."""


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
    """Kill a process so many times. Without a PostgreSQL server, one bot serves an SQLite file."""
    size = Size(SERVERS, shards=bots, at_once=bots, channels=len(CHANNELS) + TABLES)
    made = deployment(size, forked=True, postgres=postgres, sqlite=postgres is None, observe=contract)
    async with made as there:
        campaign = Campaign(there, list(seats_at(there, TABLES)))
        ledger, games = campaign.ledger, campaign.games
        await games.store()
        await there.start_bots(bots)
        await games.shown()
        beside = [
            activity
            for server in range(SERVERS if kills >= WITH_ACTIVITIES else 0)
            # The time since the last sign of life is given back after each kill, so clocks hardly run.
            for activity in campaign.activities.in_server(server, server, clocks=False)
        ]
        async with campaign.playing(PACE, beside):
            await _kill(there, ledger, kills)
        wrong = await campaign.wrong()
        print(
            f"{kills} kills, {ledger.moves} moves, {ledger.uncertain} without an answer, "
            f"{games.finished} games finished, {games.reverted} results reverted; {dict(campaign.activities.done)}"
        )
        assert not wrong, "\n".join(wrong)
        assert ledger.moves > 0


async def _kill(there: Deployment, ledger: Ledger, kills: int) -> None:
    """Kill any process and start another in its place, again and again.

    Before every second start of a single process Discord forgets nonces, as it does within minutes. Of several
    processes, another may take over the shards of the killed one.
    """
    chance, lives = chance_for(f"kills {kills}"), 0
    # On a busy machine no move may have been made in so many lives; a few more will do.
    while lives < kills or not ledger.moves:
        await asyncio.sleep(chance.uniform(0, LONGEST))
        await there.kill(chance.choice(list(there.processes)))
        lives += 1
        if there.processes and chance.random() < TAKEN_OVER:
            await there.all_served()
        forgotten = lives % 2 == 0 and not there.processes
        with patch.object(messages, "NONCE_HOLDS", 0.0 if forgotten else messages.NONCE_HOLDS):
            await there.start("bot")
            await there.all_served()
