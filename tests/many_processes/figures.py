"""The cost of processes: moves per second, processor time by move, memory, and connections."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from tests.bench.moves.report import high
from tests.many_processes.deployment import Deployment, Size, deployment
from tests.soak.campaign import Campaign

AT_ONCE = 8
"""The servers in which members play without thinking: more would overload one process."""


@dataclass
class Rate:
    """Figures of so many bot processes together. Milliseconds of processor time are by move, memory is by process."""

    bots: int
    moves: float
    """In a second."""
    median: float
    high: float
    """Milliseconds until the board, the median and the 95th percentile."""
    bot: float
    database: float
    others: float
    """The local Discord and the members, which run in one process beside the bots."""
    memory: float
    """MiB of a process alone; what it shares with others is divided among them."""
    connections: float
    counted: float
    refused: float
    """In a second: requests that count for Discord's limit, and those that were refused with status 429."""


async def rate(campaign: Campaign, bots: int, seconds: float) -> Rate:
    """Let so many bots serve everybody for a while."""
    deployment, ledger = campaign.deployment, campaign.ledger
    names = await deployment.start_bots(bots)
    playing = asyncio.create_task(campaign.games.play_without_pause(AT_ONCE))
    try:
        await asyncio.sleep(3)  # boards that had not been shown yet come first
        limit = deployment.local.services.limit
        before, moves, began = _used(deployment, names), ledger.moves, time.monotonic()
        counted, refused = limit.counted, limit.refused
        await asyncio.sleep(seconds)
        after, made, spent = _used(deployment, names), ledger.moves - moves, time.monotonic() - began
        counted, refused = limit.counted - counted, limit.refused - refused
    finally:
        playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    waited = [1000 * (one.shown - one.pressed) for one in campaign.people.waited if one.pressed >= began]
    memory = sum(alone(deployment.processes[name].pid) for name in names) / bots
    async with deployment.database() as connection:
        connections = await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'bot-%'"
        )
    await deployment.stop_all()
    bot, database, others = (1000 * (b - a) / max(made, 1) for a, b in zip(before, after, strict=True))
    median = sorted(waited)[len(waited) // 2] if waited else 0.0
    return Rate(
        bots,
        made / spent,
        median,
        high(waited),
        bot,
        database,
        others,
        memory,
        connections / bots,
        counted / spent,
        refused / spent,
    )


def _used(deployment: Deployment, names: list[str]) -> tuple[float, float, float]:
    """Return the seconds of processor time that bots, database and this process have used."""
    bots = sum(deployment.processor_times()[name] for name in names) / 1000
    return bots, deployment.database_time(), time.process_time()


def alone(process: int) -> float:
    """Return the MiB of memory of a process and its share of what it has in common with others."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return int(rollup.split("Pss:")[1].split()[0]) / 1024


async def memory_of_servers(more: int) -> tuple[float, float]:
    """Return the MiB of a bot in one server, and the KiB of each of `more` further servers with 30 channels."""
    found = []
    for servers in (1, 1 + more):
        async with deployment(Size(servers, shards=1, channels=30)) as empty:
            (name,) = await empty.start_bots(1)
            await empty.processes[name].says("ready")
            await asyncio.sleep(5)
            found.append(alone(empty.processes[name].pid))
    return found[0], 1024 * (found[1] - found[0]) / more
