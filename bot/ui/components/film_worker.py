"""Draws animations in processes of their own, since a long game takes seconds of processor time.

A thread would slow down the whole bot. An idle pool of processes would use a hundred megabytes, and starting a process
for each film takes half a second. Single pictures take milliseconds, so they are drawn in a thread.
"""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

import structlog

import render
from bot.app.errors import Refused
from bot.startup.system import bare_environment
from render.board.players import Player
from render.replay_worker import FILM_FOLLOWS
from rules.core.match import Match
from rules.core.record import write

log = structlog.get_logger()

MOST_FILMS = 2
"""Films that are drawn at the same time; further ones wait."""
TRIES = 2
"""Processes that are started for a film: the system may kill one, for example when memory is short."""

ROOT = Path(render.__file__).parents[1]


class FilmWorker:
    """Draws whole games. Each film has its own process, which ends with the task that requested the film."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(MOST_FILMS)

    async def film(
        self,
        match: Match,
        theme: str,
        drawn: Callable[[int, int], None] = lambda _, __: None,
        players: Sequence[Player] = (),
    ) -> bytes:
        """Return the whole game as a GIF, as everybody may see it. Raises Refused if it cannot be drawn.

        The last position names the `players`. `drawn` is called from time to time with the number of drawn positions
        and the number of all positions.
        """
        order = json.dumps({"record": write(match), "players": list(map(astuple, players))}).encode()
        async with self._free:
            for _ in range(TRIES):
                film = await _draw(order, theme, drawn)
                if film is not None:
                    return film
        raise Refused("The animation could not be drawn; try again later, or step through the game.")


async def _draw(order: bytes, theme: str, drawn: Callable[[int, int], None]) -> bytes | None:
    """Draw a game in a new process. Returns None if the process dies."""
    # Its standard error is not logged, because it may quote moves that are still hidden.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "render.replay_worker", theme),
        cwd=ROOT,
        env=bare_environment(),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
    )
    try:
        film = await _film(process, order, drawn)
        await process.wait()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        log.warning("film.process_failed", status=process.returncode)
        return None
    return film


async def _film(process: Process, order: bytes, drawn: Callable[[int, int], None]) -> bytes:
    """Send an order to a process, report its progress, and return the film."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(ConnectionError):  # A process that has died says so by its status.
        process.stdin.write(order)
        await process.stdin.drain()
    process.stdin.close()
    while (line := await process.stdout.readline()) and line != FILM_FOLLOWS:
        drawn(*map(int, line.split()))
    return await process.stdout.read()
