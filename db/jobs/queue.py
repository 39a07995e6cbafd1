"""The queue as the bot uses it: searches are queued, and their answers arrive as notifications."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime

import psycopg
import structlog
from procrastinate import App
from procrastinate.exceptions import ProcrastinateException
from psycopg import sql
from psycopg_pool import PoolTimeout

from db.address import Server
from db.jobs.schema import ASKERS, TASK, application, connect, prepare

log = structlog.get_logger()

CONNECTIONS = 2
HEARTBEAT, STALE = 3.0, 12.0
"""Seconds between two signs of life of a worker, and without one until it counts as dead."""
INTERVAL_S = 2.0
"""Seconds between two checks of the waiting searches."""
MOST_ATTEMPTS = 3
"""The number of workers that may die in a search."""
PAUSE = 5.0
"""Seconds until a lost connection is tried again."""

FAILURES = (OSError, psycopg.Error, PoolTimeout, ProcrastinateException)
"""Errors of the queue when PostgreSQL does not answer."""

ASK = "INSERT INTO searches (asker, question) VALUES (%(asker)s, %(question)s) RETURNING id"
FORGET_ONE = "DELETE FROM searches WHERE id = %(id)s"
TAKE = "DELETE FROM searches WHERE id = %(id)s RETURNING answer"
ALIVE = """
SELECT EXISTS (
    SELECT FROM procrastinate_workers WHERE last_heartbeat > now() - %(age)s * interval '1 s'
) AS found
"""
CHECK = """
SELECT searches.id, searches.answer IS NOT NULL AS answered, jobs.id AS job, jobs.attempts,
    jobs.status = 'doing' AND NOT EXISTS (
        SELECT FROM procrastinate_workers AS workers
        WHERE workers.id = jobs.worker_id AND workers.last_heartbeat > now() - %(age)s * interval '1 s'
    ) AS stalled
FROM searches
LEFT JOIN procrastinate_jobs AS jobs
    ON (jobs.args ->> 'search')::bigint = searches.id AND jobs.status IN ('todo', 'doing')
WHERE searches.asker = %(asker)s
"""
FORGET = (
    "DELETE FROM searches WHERE NOT is_there(asker)",
    """DELETE FROM procrastinate_jobs WHERE status <> 'doing'
    AND NOT EXISTS (SELECT FROM searches WHERE searches.id = (args ->> 'search')::bigint)""",
    "DELETE FROM procrastinate_workers WHERE last_heartbeat < now() - interval '1 hour'",
)
"""Deletions of what nobody waits for: searches of processes that have ended, and jobs without a search."""


class SearchQueue:
    """The searches of this process that workers carry out."""

    def __init__(self, place: Server, app: App) -> None:
        self._place = place
        self._app = app
        self._asker: int | None = None
        """The number under which this process asks, or None while no answer could reach it."""
        self._waiting: dict[int, tuple[int | None, asyncio.Future[str | None]]] = {}
        """By search: its job, or None until it is put into the queue, and where its answer is waited for."""

        self._hopeless: set[int] = set()
        """Searches that no worker could answer at the last check. They are given up at the next check, since an answer
        may have arrived in between."""

    @property
    def waiting(self) -> int:
        """The number of searches whose answers are waited for."""
        return len(self._waiting)

    @property
    def open(self) -> bool:
        """Return True if answers of workers can arrive."""
        return self._asker is not None

    async def ask(self, question: str, queue: str, urgency: int) -> str | None:
        """Return a worker's answer, or None if no worker answers.

        Searches with the highest urgency come first. A cancelled call ends its search.
        """
        search = job = 0
        try:
            if self._asker is None or not await self._one(ALIVE, age=STALE):
                return None
            search = await self._one(ASK, asker=self._asker, question=question)
            answered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
            self._waiting[search] = None, answered
            job = await self._app.configure_task(TASK, queue=queue, priority=urgency).defer_async(
                search=search
            )
            self._waiting[search] = job, answered
            return await answered
        except FAILURES as error:
            log.warning("search.not_queued", error=type(error).__name__)
            return None
        except asyncio.CancelledError:
            await asyncio.shield(self._cancel(search, job))
            raise
        finally:
            self._waiting.pop(search, None)

    async def _one(self, query: str, **values: object) -> int:
        """Return the only value of the only row."""
        row = await self._app.connector.execute_query_one_async(query, **values)
        return int(next(iter(row.values())))

    async def _cancel(self, search: int, job: int) -> None:
        with suppress(*FAILURES):
            await self._app.job_manager.cancel_job_by_id_async(job, abort=True, delete_job=True)
            await self._app.connector.execute_query_async(FORGET_ONE, id=search)

    # --- what comes back

    async def listen(self) -> None:
        """Wait for answers until cancelled. After a lost connection nothing is asked until there is another."""
        while True:
            try:
                async with await connect(self._place) as connection:
                    await self._receive(connection)
            except FAILURES as error:
                log.warning("answers.connection_lost", error=type(error).__name__)
            finally:
                self._asker = None
                self._give_up(list(self._waiting))
            await asyncio.sleep(PAUSE)

    async def _receive(self, connection: psycopg.AsyncConnection) -> None:
        row = await (await connection.execute("SELECT nextval('askers')::integer")).fetchone()
        assert row is not None
        asker = int(row[0])
        await connection.execute("SELECT pg_advisory_lock(%s, %s)", (ASKERS, asker))
        await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel(asker))))
        for statement in FORGET:
            await connection.execute(statement)
        self._asker = asker
        async for notification in connection.notifies():
            if notification.payload.isdecimal():
                await self._take(int(notification.payload))

    async def _take(self, search: int) -> None:
        """Deliver a stored answer unless it was delivered: a check and a notification may find the same answer."""
        _, answered = self._waiting.get(search, (None, None))
        if answered is None or answered.done():
            return
        for row in await self._app.connector.execute_query_all_async(TAKE, id=search):
            if not answered.done():
                answered.set_result(row["answer"])

    def _give_up(self, searches: Sequence[int]) -> None:
        """Let those who wait for these searches know that no worker will answer."""
        for search in searches:
            _, answered = self._waiting.get(search, (None, None))
            if answered is not None and not answered.done():
                answered.set_result(None)

    async def watch(self) -> None:
        """Check the waiting searches until cancelled.

        Other workers repeat the searches of a worker that has died. Without any worker the searches are given up.
        """
        while True:
            await asyncio.sleep(INTERVAL_S)
            if self._asker is not None and self._waiting:
                with suppress(*FAILURES):
                    await self._check(self._asker)

    async def _check(self, asker: int) -> None:
        waiting = {search: job for search, (job, _) in self._waiting.items() if job is not None}
        there = bool(await self._one(ALIVE, age=STALE))
        found = await self._app.connector.execute_query_all_async(CHECK, asker=asker, age=STALE)
        rows = {int(row["id"]): row for row in found}
        hopeless = set()
        for search, job in waiting.items():
            row = rows.get(search)
            if row is not None and row["answered"]:
                await self._take(search)
            elif row is None or row["job"] is None or not there or row["attempts"] >= MOST_ATTEMPTS:
                hopeless.add(search)
            elif row["stalled"]:
                await self._retry(search, job)
        for search in hopeless & self._hopeless & self._waiting.keys():
            log.warning("search.unanswered", workers=there)
            self._give_up([search])
            await self._cancel(search, waiting[search])
        self._hopeless = hopeless

    async def _retry(self, search: int, job: int) -> None:
        """Let another worker repeat a search. If that fails, the next check tries again; other searches continue."""
        log.info("search.retried")
        try:
            await self._app.job_manager.retry_job_by_id_async(job, datetime.now(UTC))
        except FAILURES as error:
            log.warning("search.not_retried", search=search, error=type(error).__name__)


def channel(asker: int) -> str:
    """Return the name of the notifications that tell an asker of answers."""
    return f"pencilbox_answers_{asker}"


@asynccontextmanager
async def search_queue(place: Server) -> AsyncIterator[SearchQueue]:
    """Open the queue, and make its tables if they are missing. Raises StoreUnavailable."""
    await prepare(place)
    app = application(place, CONNECTIONS)
    async with app.open_async():
        queue = SearchQueue(place, app)
        tasks = [asyncio.create_task(queue.listen()), asyncio.create_task(queue.watch())]
        try:
            yield queue
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
