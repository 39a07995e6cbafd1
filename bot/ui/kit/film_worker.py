"""Where animations are drawn: in processes of their own, since a long game takes many seconds of a processor.

A thread would take turns with everything else that the bot does, and a pool that waits for the next film would hold a
hundred megabytes for it; a process that is started for each costs half a second of its seconds. Single pictures take
tens of milliseconds, of which Pillow spends most outside of Python's lock: for them threads are as good, as measured.
"""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import structlog

import render
from bot.app.errors import Refused
from rules.core.match import Match
from rules.core.record import write

log = structlog.get_logger()

AT_ONCE = 2
"""Films that are drawn at the same time; the others wait their turn."""
TRIES = 2
"""A process may be killed, by whoever is short of memory for example; then another one is started."""

ROOT = Path(render.__file__).parents[1]


class FilmWorker:
    """Draws whole games. Nothing is started before the first, and nothing outlives the task that asked."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    async def film(self, match: Match, theme: str) -> bytes:
        """The whole game as a GIF, as everybody may see it. Raises Refused if it cannot be drawn."""
        async with self._free:
            for _ in range(TRIES):
                film = await _drawn(json.dumps(write(match)).encode(), theme)
                if film is not None:
                    return film
        raise Refused("The animation could not be drawn; try again later, or step through the game.")


async def _drawn(record: bytes, theme: str) -> bytes | None:
    """None when the process died."""
    # What it says on standard error may quote moves that are hidden yet.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "render.replay_worker", theme),
        cwd=ROOT,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
    )
    try:
        film, _ = await process.communicate(record)
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        log.warning("a film was not drawn to its end", status=process.returncode)
        return None
    return film
