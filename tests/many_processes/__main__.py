"""Many processes of the bot on one PostgreSQL: `python -m tests.many_processes` (on Linux), some eight minutes.

In 40 servers of a local Discord members play all games while processes are killed in the middle of games and restarted
one after the other. No move may be lost or doubled, no board shown twice, no clock forgotten. Then it counts the moves
per second of 1, 2 and 4 processes, and what they cost.
"""

import argparse
import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace

from tests.many_processes.deployment import CHANNELS, Size, deployment
from tests.many_processes.disturbances import TAKEOVER, Noticed, disturb
from tests.many_processes.figures import Rate, memory_of_servers, rate
from tests.soak.campaign import Campaign, seats_at

SOME = 8
"""The servers in which there are games against computers, clocks, offers and challenges as well."""


async def disturbed(size: Size, bots: int, workers: int) -> Noticed:
    """Play and disturb in a deployment of its own."""
    async with deployment(size) as made:
        campaign = Campaign(made, list(seats_at(made, 1)), quick_clocks=True)
        spread = range(0, size.servers, max(1, size.servers // SOME))
        return await disturb(campaign, bots, workers, [*spread][:SOME])


async def rates(size: Size, counts: Sequence[int], seconds: float) -> list[Rate]:
    async with deployment(size) as made:
        campaign = Campaign(made, list(seats_at(made, 1)))
        await campaign.games.store()
        return [await rate(campaign, bots, seconds) for bots in counts]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.many_processes", description=__doc__)
    parser.add_argument("--servers", type=int, default=40)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument(
        "--bots", type=int, nargs="*", default=(2, 4), help="processes in the runs with kills"
    )
    parser.add_argument(
        "--rates", type=int, nargs="*", default=(1, 2, 4), help="processes in the counts of moves"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=15, help="of each count of moves")
    parser.add_argument(
        "--memory", type=int, default=1000, help="servers by which memory is measured; 0 leaves it out"
    )
    parser.add_argument(
        "--limit", type=int, help="requests that Discord allows in a second; without it any number"
    )
    parser.add_argument("--proxy", help='a proxy for the requests, such as "node proxy.js {url} {port}"')
    given = parser.parse_args()
    size = Size(given.servers, given.shards, limit=given.limit, proxy=given.proxy, channels=len(CHANNELS) + 1)
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {size.servers} servers, {size.shards} shards\n"
    )
    for bots in given.bots:
        _tell(bots, given.workers, asyncio.run(disturbed(size, bots, given.workers)))
    if given.rates:
        _table(asyncio.run(rates(replace(size, at_once=given.shards), given.rates, given.seconds)))
    if given.memory:
        first, each = asyncio.run(memory_of_servers(given.memory))
        print(
            f"\na process in one server: {first:.0f} MiB; each further server with 30 channels: {each:.0f} KiB"
        )


def _tell(bots: int, workers: int, noticed: Noticed) -> None:
    print(
        f"{bots} bots, {workers} workers: {noticed.moves} moves\n"
        f"  a killed process was replaced after {noticed.takeover:.1f} s (at most {TAKEOVER:.0f})\n"
        f"  rolling restart: {noticed.rolling:.0f} s, longest silence of a server {noticed.silence:.1f} s\n"
        f"  the latest clock was decided {noticed.late:.1f} s after its deadline\n"
        f"  {noticed.errors} errors in the logs, {noticed.uncertain} presses without an answer; "
        f"what members met: {noticed.troubles or 'nothing'}\n",
        flush=True,
    )
    assert not noticed.wrong, "\n".join(noticed.wrong)
    assert noticed.takeover <= TAKEOVER, "the takeover took too long"


def _table(found: Sequence[Rate]) -> None:
    names = ["bots", "moves/s", "ratio", "median ms", "95 % ms", "bot ms", "database ms", "members ms"]
    names += ["MiB each", "connections", "requests/s", "429/s"]
    print("  ".join(names))
    for one in found:
        values = [
            one.bots,
            one.moves,
            one.moves / found[0].moves,
            one.median,
            one.high,
            one.bot,
            one.database,
        ]
        values += [one.others, one.memory, one.connections, one.counted, one.refused]
        print(
            "  ".join(
                f"{value:>{len(name)}.{digits(value)}f}" for name, value in zip(names, values, strict=True)
            )
        )


def digits(value: float) -> int:
    """Return how many digits after the point are worth printing."""
    return 0 if value >= 50 or value == int(value) else 2 if value < 5 else 1


if __name__ == "__main__":
    main()
