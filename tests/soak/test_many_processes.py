"""The short form of `python -m tests.many_processes`, which measures as well."""

import pytest

from tests.db.postgres import PostgresServer
from tests.many_processes.deployment import CHANNELS, Size, deployment
from tests.many_processes.disturbances import disturb
from tests.soak.campaign import Campaign, seats_at


@pytest.mark.soak
async def test_nothing_is_lost_or_doubled_while_processes_come_and_go(
    postgres_server: PostgresServer,
) -> None:
    """Two bots and a worker serve two servers; one bot and the worker are killed, then all bots are restarted.

    `make test` kills processes on PostgreSQL in `test_restarts.py`, restarts them one after the other in
    `tests/e2e/process/test_shards.py`, and kills workers in `tests/jobs/test_queue.py`.
    """
    size = Size(servers=2, shards=2, at_once=2, channels=len(CHANNELS) + 1)
    async with deployment(size, forked=True, postgres=postgres_server) as made:
        campaign = Campaign(made, list(seats_at(made, 1)), quick_clocks=True)
        noticed = await disturb(campaign, bots=2, workers=1, activities_in=(0, 1))
    assert noticed.wrong == []
    assert noticed.moves > 0
