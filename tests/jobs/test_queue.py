"""The queue of searches on PostgreSQL: what is asked comes back answered, also when workers and askers die."""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any

import asyncpg
import pytest
import structlog

from db.address import Server, address
from db.jobs import queue as asking
from db.jobs import work as working
from db.jobs.queue import SearchQueue, search_queue
from db.jobs.schema import MOMENTS, MOVES, prepare
from db.jobs.work import work
from tests.waiting import PATIENCE, wait_until, wait_while

SECRET = "a hidden row"


@pytest.fixture
def place(postgres_url: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A database of its own, where signs of life are frequent.

    On a busy machine they come late. So workers count as dead after some seconds only where a test needs it.
    """
    for module, name, seconds in (
        (working, "HEARTBEAT", 0.3),
        (working, "STALE", PATIENCE),
        (working, "GRACE", 0.1),
        (asking, "STALE", PATIENCE),
        (asking, "INTERVAL_S", 0.3),
    ):
        monkeypatch.setattr(module, name, seconds)
    found = address(postgres_url, tmp_path)
    assert isinstance(found, Server)
    return found


@pytest.fixture
def soon_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers count as dead four seconds after their last sign of life."""
    for module in (working, asking):
        monkeypatch.setattr(module, "STALE", 4.0)


@asynccontextmanager
async def asker(place: Server) -> AsyncIterator[SearchQueue]:
    """A queue whose answers can be heard."""
    async with search_queue(place) as queue:
        await wait_until(lambda: queue.open)
        yield queue


@asynccontextmanager
async def worker(
    place: Server, answer: Callable[[str], Awaitable[str]], moves: int = 1
) -> AsyncIterator[None]:
    """A worker in this process, which has given its first sign of life."""
    before = await count(place, "procrastinate_workers")
    running = asyncio.create_task(work(place, moves, answer))
    try:
        await filled(place, "procrastinate_workers", before + 2)
        yield
    finally:
        running.cancel()
        await asyncio.wait({running}, timeout=PATIENCE)
        assert running.done()


async def count(place: Server, table: str) -> int:
    """Return the number of rows of a table of the jobs."""
    await prepare(place)
    connection = await asyncpg.connect(place.dsn)
    try:
        return int(await connection.fetchval(f"SELECT count(*) FROM jobs.{table}"))
    finally:
        await connection.close()


async def filled(place: Server, table: str, least: int) -> None:
    """Wait until a table of the jobs has so many rows."""

    async def enough() -> bool:
        return await count(place, table) >= least

    await wait_until(enough)


async def until_empty(place: Server, *tables: str) -> None:
    """Wait until nothing is left in these tables of the jobs."""
    for table in tables:
        await wait_while(partial(count, place, table))


class Slow:
    """Answers a question once it is let go. `asked` are the questions so far, `cancelled` those that were given up."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.cancelled: list[str] = []
        self.go = asyncio.Event()

    async def __call__(self, question: str) -> str:
        self.asked.append(question)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled.append(question)
            raise
        return question.upper()


async def test_an_answer_comes_back_and_leaves_nothing(
    place: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = Slow()
    answer.go.set()
    async with asker(place) as queue, worker(place, answer, moves=2):
        asked = (queue.ask(SECRET + str(number), MOVES, 1) for number in range(5))
        assert await asyncio.gather(*asked) == [(SECRET + str(number)).upper() for number in range(5)]
        assert await queue.ask("moments", MOMENTS, 0) == "MOMENTS"
        await until_empty(place, "procrastinate_jobs", "searches")
    assert "hidden" not in caplog.text.lower()


async def test_without_a_worker_there_is_no_wait(place: Server) -> None:
    async with asker(place) as queue:
        assert await queue.ask("anybody?", MOVES, 1) is None
        assert await count(place, "searches") == 0


async def test_the_most_urgent_comes_first(place: Server) -> None:
    answer = Slow()
    async with asker(place) as queue, worker(place, answer):
        first = asyncio.create_task(queue.ask("first", MOVES, 1))
        await wait_until(lambda: answer.asked == ["first"])
        others = [asyncio.create_task(queue.ask(str(urgency), MOVES, urgency)) for urgency in (1, 3, 2)]
        await filled(place, "procrastinate_jobs", 4)
        answer.go.set()
        await asyncio.gather(first, *others)
    assert answer.asked == ["first", "3", "2", "1"]


async def test_a_search_that_nobody_waits_for_is_ended(place: Server) -> None:
    answer = Slow()
    async with asker(place) as queue, worker(place, answer):
        running = asyncio.create_task(queue.ask("running", MOVES, 1))
        await wait_until(lambda: answer.asked == ["running"])
        waiting = asyncio.create_task(queue.ask("waiting", MOVES, 1))
        await filled(place, "procrastinate_jobs", 2)
        for task in (waiting, running):
            task.cancel()
        await wait_until(lambda: answer.cancelled == ["running"])
        await until_empty(place, "procrastinate_jobs", "searches")
        answer.go.set()
        assert await queue.ask("next", MOVES, 1) == "NEXT"
    assert answer.asked == ["running", "next"]


async def test_a_worker_that_stops_leaves_its_search_to_another(place: Server) -> None:
    stopped, other = Slow(), Slow()
    other.go.set()
    async with asker(place) as queue:
        async with worker(place, stopped):
            waiting = asyncio.create_task(queue.ask("a move", MOVES, 1))
            await wait_until(lambda: stopped.asked == ["a move"])
            second = asyncio.create_task(_forever(worker(place, other)))
            await asyncio.sleep(0)
            await filled(place, "procrastinate_workers", 4)
        assert await waiting == "A MOVE"
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
    assert (stopped.cancelled, other.asked) == (["a move"], ["a move"])


async def _forever(context: Any) -> None:
    async with context:
        await asyncio.Event().wait()


def hang(place: Server) -> None:
    """Take searches and never answer, as a process of its own does that is killed in the middle."""

    async def never(question: str) -> str:
        await asyncio.Event().wait()
        return question

    asyncio.run(work(place, 1, never))


async def test_search_of_a_killed_worker_is_repeated(place: Server, soon_dead: None) -> None:
    await prepare(place)
    victim = get_context("fork").Process(target=hang, args=(place,))
    victim.start()
    try:
        async with AsyncExitStack() as stack:
            queue = await stack.enter_async_context(asker(place))
            await filled(place, "procrastinate_workers", 2)
            waiting = asyncio.create_task(queue.ask("a move", MOVES, 1))
            await wait_until(lambda: count(place, "procrastinate_jobs WHERE status = 'doing'"))
            assert victim.pid is not None
            os.kill(victim.pid, signal.SIGKILL)
            other = Slow()
            other.go.set()
            await stack.enter_async_context(worker(place, other))
            assert await asyncio.wait_for(waiting, PATIENCE) == "A MOVE"
            assert other.asked == ["a move"]
    finally:
        victim.kill()
        victim.join()


async def test_asker_is_told_when_the_last_worker_was_killed(place: Server, soon_dead: None) -> None:
    await prepare(place)
    victim = get_context("fork").Process(target=hang, args=(place,))
    victim.start()
    try:
        async with asker(place) as queue:
            await filled(place, "procrastinate_workers", 2)
            waiting = asyncio.create_task(queue.ask("a move", MOVES, 1))
            await wait_until(lambda: count(place, "procrastinate_jobs WHERE status = 'doing'"))
            victim.kill()
            assert await asyncio.wait_for(waiting, PATIENCE) is None
    finally:
        victim.kill()
        victim.join()


async def test_search_of_an_ended_asker_is_not_carried_out(place: Server) -> None:
    answer = Slow()
    async with worker(place, answer):
        async with asker(place) as gone:
            busy = asyncio.create_task(gone.ask("busy", MOVES, 1))
            await wait_until(lambda: answer.asked == ["busy"])
            connection = await asyncpg.connect(place.dsn)
            await connection.execute(
                "INSERT INTO jobs.searches (asker, question) VALUES (2000000000, 'left')"
            )
            await connection.close()
            answer.go.set()
            await asyncio.wait_for(busy, PATIENCE)
        async with asker(place) as queue:
            await until_empty(place, "searches")
            assert await asyncio.wait_for(queue.ask("next", MOVES, 1), PATIENCE) == "NEXT"
    assert answer.asked == ["busy", "next"]


async def test_a_failing_search_is_given_up(place: Server, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(question: str) -> str:
        raise ValueError(question)

    async with asker(place) as queue, worker(place, fail):
        assert await asyncio.wait_for(queue.ask(SECRET, MOVES, 1), PATIENCE) is None
    assert "ValueError" in caplog.text
    assert "hidden" not in caplog.text


async def test_the_tables_of_another_version_are_made_again(place: Server) -> None:
    await prepare(place)
    connection = await asyncpg.connect(place.dsn)
    await connection.execute(
        "UPDATE jobs.made_by SET version = '0'; ALTER TABLE jobs.searches DROP COLUMN answer"
    )
    await connection.close()
    answer = Slow()
    answer.go.set()
    async with asker(place) as queue, worker(place, answer):
        assert await queue.ask("after all", MOVES, 1) == "AFTER ALL"


async def test_a_lost_connection_of_the_asker_ends_the_wait(
    place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "PAUSE", 0.05)
    answer = Slow()
    async with asker(place) as queue, worker(place, answer):
        waiting = asyncio.create_task(queue.ask("a move", MOVES, 1))
        await wait_until(lambda: answer.asked == ["a move"])
        connection = await asyncpg.connect(place.dsn)
        await connection.execute(
            # Of this database alone: tests beside this one have theirs on the same server.
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND (query LIKE 'LISTEN%answers%' OR query LIKE 'DELETE FROM procrastinate_workers%')"
        )
        await connection.close()
        assert await asyncio.wait_for(waiting, PATIENCE) is None
        answer.go.set()
        await wait_until(lambda: queue.open)
        assert await queue.ask("next", MOVES, 1) == "NEXT"


async def test_cancelled_worker_ends_although_it_cannot_sign_off(place: Server) -> None:
    connection = await asyncpg.connect(place.dsn)
    try:
        async with worker(place, Slow()):
            await connection.execute("ALTER TABLE jobs.procrastinate_workers RENAME TO gone")
        # The context has cancelled the worker and has checked that it ended.
    finally:
        await connection.execute("ALTER TABLE jobs.gone RENAME TO procrastinate_workers")
        await connection.close()


async def test_foreign_notification_does_not_end_the_listening(place: Server) -> None:
    answer = Slow()
    answer.go.set()
    async with asker(place) as queue, worker(place, answer):
        connection = await asyncpg.connect(place.dsn)
        await connection.execute("SELECT pg_notify($1, 'hello')", asking.channel(queue._asker or 0))
        await connection.close()
        assert await queue.ask("a move", MOVES, 1) == "A MOVE"
        assert queue.open


async def test_search_that_cannot_be_retried_keeps_no_other(
    place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two searches whose worker has died, only the second can be given to another."""
    async with asker(place) as queue:
        retried = []

        async def rows(query: str, **values: object) -> list[dict[str, object]]:
            return [{"id": it, "answered": False, "job": it, "attempts": 0, "stalled": True} for it in (1, 2)]

        async def retry(job: int, at: object) -> None:
            retried.append(job)
            if job == 1:
                raise OSError

        async def one(query: str, **values: object) -> int:
            return 1

        monkeypatch.setattr(queue._app.connector, "execute_query_all_async", rows)
        monkeypatch.setattr(queue._app.job_manager, "retry_job_by_id_async", retry)
        monkeypatch.setattr(queue, "_one", one)
        monkeypatch.setattr(asking, "INTERVAL_S", 3600.0)
        answered = asyncio.get_running_loop().create_future()
        queue._waiting |= {1: (1, answered), 2: (2, answered)}
        with structlog.testing.capture_logs() as lines:
            await queue._check(7)
        queue._waiting.clear()
    assert retried == [1, 2]
    assert [it["search"] for it in lines if it["event"] == "search.not_retried"] == [1]
