"""`/admin load`: how much there is to do, and how the process copes."""

import asyncio
import resource
from datetime import timedelta
from pathlib import Path
from time import perf_counter

from bot.ui.components.layout import card
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.reply import Said

SPAN = timedelta(minutes=10)
"""The time over which moves are counted."""
NAP, NAPS = 0.02, 10
"""Seconds of a sleep that shows how late the event loop is, and how often it sleeps."""


async def show_load(acting: Acting) -> Said:
    """Show the load of this process and of the database."""
    administration = acting.services.administration
    await administration.log(acting.user, "look at the load")
    late = await _lag()
    began = perf_counter()
    waiting = await administration.boards_waiting()
    asked = perf_counter() - began
    moves = await administration.moves(SPAN)
    size = await administration.database_size()
    client = acting.interaction.client
    latency = client.latency
    connection = "not connected" if latency != latency else f"{latency * 1000:.0f} ms"
    minutes = SPAN.total_seconds() / 60
    lines = (
        f"**{moves / minutes:.1f}** moves a minute in the last {minutes:.0f} minutes",
        f"**{waiting}** boards wait to be shown",
        f"**{late * 1000:.0f} ms** late at most is the event loop",
        f"**{_memory() / 1e6:.0f} MB** of memory are used by this process",
        f"**{size / 1e6:.1f} MB** has the database; a question takes {asked * 1000:.0f} ms",
        f"**{connection}** is the way to Discord and back",
        f"**{len(acting.ui_services.clients.guilds())}** is the number of servers of this process",
    )
    return Said("", card("### Load", "\n".join(f"- {line}" for line in lines)))


async def _lag() -> float:
    """Return how many seconds too late the event loop woke up, at most, from a few short sleeps."""
    worst = 0.0
    for _ in range(NAPS):
        began = perf_counter()
        await asyncio.sleep(NAP)
        worst = max(worst, perf_counter() - began - NAP)
    return worst


def _memory() -> int:
    """Return the bytes of memory that this process has now; where that is not known, the most that it has had."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()
