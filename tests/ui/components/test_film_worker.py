"""Films are drawn in other processes: the bot survives their deaths, and none of them is left running."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bot.app.errors import Refused
from bot.ui.components.film_worker import FilmWorker
from render.replay import animate, positions
from rules.core.match import Match
from rules.games import find
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow


def game(moves: int = 3) -> Match:
    match = Match.start(find("alaric"), {"size": 9}, 2)
    for _ in range(moves):
        match = match.play(match.to_move[0], (match.legal() or ())[0])
    return match


def drawing() -> list[int]:
    """Return the drawing processes that this process has started."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [
        int(child)
        for child in children
        if b"render.replay_worker" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


async def one_drawing(other_than: int | None = None) -> int:
    await wait_until(lambda: {*drawing()} - {other_than})
    return next(child for child in drawing() if child != other_than)


async def test_a_film_is_the_same_as_one_drawn_in_this_process() -> None:
    """The process says how far it is."""
    counts: list[tuple[int, int]] = []
    film = await FilmWorker().film(game(3), "slate", lambda done, of: counts.append((done, of)))
    assert film == animate(positions(game(3)), "slate")
    assert counts == [(done, 4) for done in range(1, 5)]
    assert drawing() == []


@pytest.mark.soak
async def test_the_process_holds_no_setting_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a token")
    filming = asyncio.create_task(FilmWorker().film(game(), "paper"))
    names = {
        entry.partition(b"=")[0]
        for entry in Path(f"/proc/{await one_drawing()}/environ").read_bytes().split(b"\0")
    }
    assert b"PATH" in names
    assert b"DISCORD_TOKEN" not in names
    await filming


async def test_a_killed_process_is_replaced() -> None:
    filming = asyncio.create_task(FilmWorker().film(game(), "paper"))
    os.kill(await one_drawing(), signal.SIGKILL)
    assert (await asyncio.wait_for(filming, PATIENCE)).startswith(b"GIF89a")


@pytest.mark.soak
async def test_a_film_whose_processes_are_all_killed_is_refused() -> None:
    worker = FilmWorker()
    filming = asyncio.create_task(worker.film(game(), "paper"))
    first = await one_drawing()
    os.kill(first, signal.SIGKILL)
    os.kill(await one_drawing(other_than=first), signal.SIGKILL)
    with pytest.raises(Refused, match="try again later"):
        await asyncio.wait_for(filming, PATIENCE)
    assert (await worker.film(game(1), "paper")).startswith(b"GIF89a")


async def test_no_process_outlives_the_cancelled_task() -> None:
    filming = asyncio.create_task(FilmWorker().film(game(), "paper"))
    await one_drawing()
    filming.cancel()
    with pytest.raises(asyncio.CancelledError):
        await filming
    assert drawing() == []
