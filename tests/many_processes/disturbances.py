"""Processes that are killed, restarted one after the other, and what members notice of it."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.many_processes.deployment import Deployment
from tests.many_processes.playing_members import PlayingMembers
from tests.soak.campaign import Campaign

TAKEOVER = 30.0
"""Seconds within which the servers of a process that was killed must be served by others."""
THINK = 6.0
"""Seconds between two moves of a server."""
PLAY = 8.0
"""Seconds of play before and between the disturbances."""


@dataclass
class Noticed:
    """Disturbances that members noticed, in seconds."""

    moves: int
    uncertain: int
    """Presses that were not answered."""
    wrong: list[str]
    """A sentence for everything that was lost, doubled, not shown or wrongly rated."""
    takeover: float
    """From the end of a killed process until a move was shown in each of its servers."""
    rolling: float
    """The length of the rolling restart of all processes."""
    silence: float
    """The longest time in it in which no move was shown in a server."""
    late: float
    """The longest time between a deadline and its decision."""
    errors: int
    """Errors in the logs of all processes."""
    troubles: dict[str, int]
    """The kinds of errors that members met."""


async def disturb(campaign: Campaign, bots: int, workers: int, activities_in: Sequence[int]) -> Noticed:
    """Let members play while processes are killed and restarted; check everything in the end."""
    deployment, people, activities = campaign.deployment, campaign.people, campaign.activities
    deployment.local.world.listen(campaign.ledger.hear)
    await campaign.games.store()
    await deployment.start_workers(workers)
    names = await deployment.start_bots(bots, search="workers")
    beside = [
        activity
        for index, server in enumerate(activities_in)
        for activity in activities.in_server(server, index)
    ]
    async with campaign.playing(deployment.size.servers / THINK, beside):
        await asyncio.sleep(PLAY)
        takeover = await _kill(deployment, people, names)
        if workers:
            await deployment.kill(next(name for name in deployment.processes if name.startswith("worker")))
            await deployment.start("worker")
        await asyncio.sleep(PLAY)
        began = time.monotonic()
        await _restart_all(deployment, names)
        ended = time.monotonic()
        await asyncio.sleep(PLAY)
    return Noticed(
        campaign.ledger.moves,
        campaign.ledger.uncertain,
        await campaign.wrong(),
        takeover,
        ended - began,
        people.longest_silence(began, ended),
        activities.latest.total_seconds(),
        sum(log.read_text().count("[error") for log in deployment.all_logs),
        dict(people.troubles),
    )


async def _kill(deployment: Deployment, playing_members: PlayingMembers, names: list[str]) -> float:
    """Kill a bot in the middle of games and put another in its place; return how long its servers waited."""
    victim = max(names, key=lambda name: len(deployment.shards_of(name)))
    servers = deployment.servers_of(deployment.shards_of(victim))
    assert servers, f"{victim} serves no shard"
    since = time.monotonic()
    await deployment.kill(victim)
    names[names.index(victim)] = await deployment.start("bot", PENCILBOX_SEARCH="workers")
    return await playing_members.answered_again(servers, since, 3 * TAKEOVER)


async def _restart_all(deployment: Deployment, names: list[str]) -> None:
    """Stop each bot and start another in its place, one after the other."""
    for place, name in enumerate(names):
        await deployment.all_served()
        await deployment.stop(name)
        names[place] = await deployment.start("bot", PENCILBOX_SEARCH="workers")
    await deployment.all_served()
