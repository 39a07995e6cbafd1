"""Draws animations in processes of their own, since a long game takes many seconds of processor time.

A thread would slow everything else that the bot does. A pool of processes would hold a hundred megabytes while it is
idle; starting a process for each film costs half a second. Single pictures take tens of milliseconds, most of which
Pillow spends without Python's lock, so threads serve them as well (this was measured).
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

MOST_FILMS = 2
"""Films that are drawn at the same time; further ones wait."""
TRIES = 2
"""Processes that are started for a film: the system may kill one, for example when memory is short."""

ROOT = Path(render.__file__).parents[1]


class FilmWorker:
    """Draws whole games. No process runs before the first film, and none outlives the task that wants the film."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(MOST_FILMS)

    async def film(self, match: Match, theme: str) -> bytes:
        """Return the whole game as a GIF, as everybody may see it. Raises Refused if it cannot be drawn."""
        async with self._free:
            for _ in range(TRIES):
                film = await _draw(json.dumps(write(match)).encode(), theme)
                if film is not None:
                    return film
        raise Refused("The animation could not be drawn; try again later, or step through the game.")


async def _draw(record: bytes, theme: str) -> bytes | None:
    """Draw a record in a new process. Returns None if the process dies."""
    # Its standard error is not logged, because it may quote moves that are still hidden.
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
        log.warning("film not drawn", status=process.returncode)
        return None
    return film
