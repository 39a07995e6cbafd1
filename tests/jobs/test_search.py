"""A bot whose searches are carried out by worker processes, as `python -m bot worker` starts them."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app.searches import NoChoice, Purpose
from bot.jobs import worker
from bot.jobs.search import NOTHING, WorkersFirst, workers_first
from bot.search.workers import SearchWorkers
from bot.startup.config import Config, ConfigError
from db.address import Server, address
from db.jobs.work import work
from rules.core.match import Match
from rules.games import find
from rules.players.explore import worths
from rules.players.levels import Budget
from rules.puzzles.moments import moments
from tests.e2e.monitor import Pages
from tests.jobs.test_queue import asker, count, filled
from tests.search.test_workers import LONG_GAME, finished_game, searching
from tests.waiting import PATIENCE

SMALL = Match.start(find("skull"), {"width": 3, "height": 3}, 2).play(0, "a1")


def server(url: str, folder: Path) -> Server:
    place = address(url, folder)
    assert isinstance(place, Server)
    return place


@asynccontextmanager
async def worker_process(url: str, folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, Pages]]:
    """A worker with one searching process, once it takes searches, and the pages that it serves."""
    place = server(url, folder)
    settings = {"DATABASE_URL": url, "PENCILBOX_DATA_DIR": str(folder), "PENCILBOX_SEARCH_WORKERS": "1"}
    settings["PENCILBOX_METRICS_PORT"] = "0"
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "worker"), env={**os.environ, **settings}, stderr=PIPE
    )
    try:
        await filled(place, "procrastinate_workers", 2)
        assert started.stderr is not None
        yield started, Pages((await started.stderr.readline()).decode())
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def test_workers_search_as_this_process_would(postgres_url: str, tmp_path: Path) -> None:
    here = SearchWorkers(1, PATIENCE)
    palindromes = Match.start(find("palindromes"), {"cards": 8}, 2)
    palindromes = palindromes.play(
        None, palindromes.game.format(palindromes.game.chances(palindromes.state)[0][0])
    )
    try:
        async with worker_process(postgres_url, tmp_path) as (process, pages):
            async with asker(server(postgres_url, tmp_path)) as queue:
                far = WorkersFirst(queue, here)
                found = await far.choose(LONG_GAME, 0, Budget(nodes=50), 7)
                hidden = await far.choose(palindromes, 0, Budget(level=1), 7, Purpose.HINT)
                puzzles = await far.moments(finished_game())
                judged = await far.worths(SMALL)
                with pytest.raises(NoChoice):
                    await far.choose(LONG_GAME.play(0, "resign"), 1, Budget(level=1))
                assert searching() == [], "this process has searched itself"
            await pages.readyz()
            served = await pages.samples()
            assert served["pencilbox_ready"] == {("queue",): 1}
            assert served["pencilbox_search_processes"][()] == 1
            process.send_signal(signal.SIGTERM)
            _, said = await process.communicate()
            assert process.returncode == 0, said.decode()
            assert "Traceback" not in said.decode()
        assert found == await here.choose(LONG_GAME, 0, Budget(nodes=50), 7)
        assert hidden == await here.choose(palindromes, 0, Budget(level=1), 7)
        assert puzzles.moments == moments(finished_game())
        assert judged == worths(SMALL, 1.0), "a small position is proved in whatever time"
        assert await count(server(postgres_url, tmp_path), "procrastinate_workers") == 0
    finally:
        await here.close()


async def test_without_a_worker_this_process_searches(postgres_url: str, tmp_path: Path) -> None:
    here = SearchWorkers(1, PATIENCE)
    try:
        config = Config.model_validate({"database_url": postgres_url, "PENCILBOX_DATA_DIR": str(tmp_path)})
        async with workers_first(config, here) as search:
            assert (await search.choose(LONG_GAME, 0, Budget(level=1))).move
            assert (await search.moments(finished_game())).moments == moments(finished_game())
    finally:
        await here.close()


async def test_judgements_are_not_left_to_workers_of_earlier_versions(
    postgres_url: str, tmp_path: Path
) -> None:
    """Such a worker takes the question for one about the moments of a game, and finds none in a game that goes on."""

    async def earlier(question: str) -> str:
        assert set(json.loads(question)) == {"record", "every"}
        return NOTHING

    here, place = SearchWorkers(1, PATIENCE), server(postgres_url, tmp_path)
    working = asyncio.create_task(work(place, 1, earlier))
    try:
        async with asker(place) as queue:
            await filled(place, "procrastinate_workers", 2)
            assert await WorkersFirst(queue, here).worths(SMALL) == worths(SMALL, 1.0)
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await here.close()


async def test_workers_and_their_askers_need_postgresql(tmp_path: Path) -> None:
    config = Config.model_validate({"PENCILBOX_DATA_DIR": str(tmp_path)})
    with pytest.raises(ConfigError, match="let DATABASE_URL name the bot's"):
        await worker.search_until_stopped(config)
    with pytest.raises(ConfigError, match="PENCILBOX_SEARCH=workers needs PostgreSQL"):
        async with workers_first(config, SearchWorkers(1, PATIENCE)):
            pass


async def test_a_worker_names_a_data_folder_that_cannot_be_made() -> None:
    config = Config.model_validate(
        {"database_url": "postgresql://localhost/x", "PENCILBOX_DATA_DIR": "/dev/null/data"}
    )
    with pytest.raises(ConfigError, match="set PENCILBOX_DATA_DIR to another"):
        await worker.search_until_stopped(config)
