"""The short form of `python -m tests.many_processes`, which measures as well."""

from tests.db.postgres import PostgresServer
from tests.many_processes.deployment import Size, deployment
from tests.many_processes.disturbances import disturb
from tests.many_processes.ledger import Ledger
from tests.many_processes.playing_members import playing_members


async def test_nothing_is_lost_or_doubled_while_processes_come_and_go(
    postgres_server: PostgresServer,
) -> None:
    """Two bots and a worker serve two servers; one bot and the worker are killed, then all bots are restarted."""
    async with deployment(
        Size(servers=2, shards=2, at_once=2), forked=True, postgres=postgres_server
    ) as made:
        ledger = Ledger()
        people = await playing_members(made, ledger, games=2)
        noticed = await disturb(
            made, people, ledger, bots=2, workers=1, activities_in=(0, 1), play=1, think=1.0
        )
    assert noticed.moves > 0
    assert noticed.matches >= 2 * 2 + 5
