"""The queue as a worker uses it: a process takes searches from the queue, one after the other."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from procrastinate import App, JobContext, RetryStrategy
from procrastinate.exceptions import NoResult
from procrastinate.job_context import AbortReason

from db.address import Server
from db.jobs.queue import FAILURES, HEARTBEAT, MOST_ATTEMPTS, PAUSE, STALE, channel
from db.jobs.schema import MOMENTS, MOVES, TASK, application, prepare

log = structlog.get_logger()

GRACE = 5.0
"""Seconds that running searches get when the process is stopped; then others repeat them."""

READ = "SELECT asker, question FROM searches WHERE id = %(id)s AND answer IS NULL AND is_there(asker)"
STORE = """
WITH stored AS (UPDATE searches SET answer = %(answer)s WHERE id = %(id)s RETURNING id)
SELECT pg_notify(%(channel)s, %(id)s::text) FROM stored
"""


class SearchFailed(Exception):
    """A search failed. The text is the kind of the error."""


Answerer = Callable[[str], Awaitable[str]]
"""Answers a question."""


async def work(
    place: Server, moves: int, answer: Answerer, reached: Callable[[bool], None] = lambda _: None
) -> None:
    """Answer searches until cancelled: so many at the same time that somebody waits for, and one for puzzles.

    `reached` is told when the queue can be reached, and when it cannot any more.

    Raises StoreUnavailable if the database cannot be used at the start. Later it is tried again.
    """
    await prepare(place)
    while True:
        try:
            app = application(place, moves + 3)
            _add_task(app, answer)
            async with app.open_async():
                reached(True)
                await _take_all(app, moves)
        except FAILURES as failure:
            reached(False)
            log.warning("queue.connection_lost", error=type(failure).__name__)
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            # The failure has replaced the cancellation.
            raise asyncio.CancelledError
        await asyncio.sleep(PAUSE)
        await prepare(place)


async def _take_all(app: App, moves: int) -> None:
    """Take searches of both queues until cancelled. Raises the first failure."""
    tasks = [asyncio.create_task(_take(app, MOVES, moves)), asyncio.create_task(_take(app, MOMENTS, 1))]
    try:
        # A task group of Python 3.11 would drop a cancellation that arrives together with a failure.
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    raise next(it for it in ended if isinstance(it, Exception))


async def _take(app: App, queue: str, concurrency: int) -> None:
    """Take searches of a queue until cancelled, or until PostgreSQL does not answer."""
    await app.run_worker_async(
        queues=[queue],
        name=queue,
        concurrency=concurrency,
        install_signal_handlers=False,
        update_heartbeat_interval=HEARTBEAT,
        stalled_worker_timeout=STALE,
        shutdown_graceful_timeout=GRACE,
        delete_jobs="always",
    )
    raise ConnectionError("procrastinate has stopped")


def _add_task(app: App, answer: Answerer) -> None:
    async def search(context: JobContext, *, search: int) -> None:
        try:
            row = await app.connector.execute_query_one_async(READ, id=search)
        except NoResult:
            return  # Whoever asked has ended, or does not wait any more.
        try:
            found = await answer(row["question"])
        except asyncio.CancelledError:
            if context.abort_reason() is AbortReason.SHUTDOWN:
                raise  # Another process repeats it.
            return
        except Exception as error:
            # The text of the error may quote a hidden move, and procrastinate logs it.
            raise SearchFailed(type(error).__name__) from None
        name = channel(row["asker"])
        await app.connector.execute_query_all_async(STORE, id=search, answer=found, channel=name)

    retry = RetryStrategy(max_attempts=MOST_ATTEMPTS)
    app.task(name=TASK, pass_context=True, retry=retry)(search)
