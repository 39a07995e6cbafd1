"""Processes of the bot that are killed (SIGKILL) again and again while members play."""

import asyncio
from unittest.mock import patch

from bot.sandbox import messages
from bot.sandbox.rest.wire import Observer
from tests.db.postgres import PostgresServer
from tests.many_processes.deployment import CHANNELS, Deployment, Size, deployment
from tests.many_processes.ledger import Ledger
from tests.seeds import chance_for
from tests.soak.campaign import Campaign, seats_at

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


async def killed(
    kills: int, bots: int, *, observe: Observer, postgres: PostgresServer | None = None
) -> tuple[Ledger, list[str]]:
    """Kill a process so many times. Return what members did, and a sentence for everything that was wrong.

    Without a PostgreSQL server, one bot serves an SQLite file.
    """
    size = Size(SERVERS, shards=bots, at_once=bots, channels=len(CHANNELS) + TABLES)
    made = deployment(size, forked=True, postgres=postgres, sqlite=postgres is None, observe=observe)
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
        return ledger, wrong


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
