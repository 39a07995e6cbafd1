"""The metrics that are read from the parts of the bot on request, and the pages /healthz, /readyz and /metrics.

The pages are served on their own port by the event loop that they describe.
"""

import asyncio
import math
import platform
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import discord
import structlog
from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from bot import __version__
from bot.monitoring.instruments import Instruments, SqlEvents
from bot.monitoring.subject import Subject
from bot.search.workers import SearchWorkers
from bot.startup.http_server import http_server
from db.values.administration import Backlog
from render.engine.raster import KEPT
from rules.games import BY_KEY

if TYPE_CHECKING:
    from bot.pencilbox import Pencilbox
    from db.jobs.queue import SearchQueue


class State(Collector):
    """Reads the counts and states of the bot. The database must have been queried by `refresh`."""

    def __init__(self, subject: Subject, sql: SqlEvents) -> None:
        self._subject = subject
        self._sql = sql

    def collect(self) -> Iterator[Metric]:
        yield _build()
        yield from self._readiness()
        yield from self._connections()
        yield from _pictures()
        yield from self._parts()

    def _parts(self) -> Iterator[Metric]:
        if self._subject.database.backlog is not None:
            yield from _waiting(self._subject.database.backlog)
        if self._subject.search is not None:
            yield from _searches(self._subject.search, self._subject.queue)
        if self._subject.bot is not None:
            yield from _gateway(self._subject.bot, *self._subject.shards())
            yield from _background(self._subject.bot)
            yield _moves(self._subject.bot)
            yield _counter(
                "pencilbox_activity_refusals",
                "Requests and messages that the server of the Activity refused, by reason.",
                "reason",
                self._subject.bot.page_refusals,
            )

    def describe(self) -> Iterable[Metric]:
        return ()

    def _readiness(self) -> Iterator[Metric]:
        yield _gauge(
            "pencilbox_ready",
            "1 if a check of /readyz is passed, else 0.",
            "check",
            {check: sentence is None for check, sentence in self._subject.checks().items()},
        )

    def _connections(self) -> Iterator[Metric]:
        in_use, kept = self._sql.connections()
        yield GaugeMetricFamily(
            "pencilbox_sql_connections_in_use", "Connections to the database in use.", value=in_use
        )
        yield GaugeMetricFamily(
            "pencilbox_sql_pool_size", "Connections to the database that are kept for use.", value=kept
        )


def _build() -> Metric:
    found = {
        "version": __version__,
        "python": platform.python_version(),
        "discord_py": discord.__version__,
    }
    family = GaugeMetricFamily("pencilbox_build_info", "The versions that run; always 1.", labels=list(found))
    family.add_metric(list(found.values()), 1)
    return family


def _waiting(backlog: Backlog) -> Iterator[Metric]:
    yield _gauge(
        "pencilbox_waiting",
        "What waits to be shown in the servers of this process, by what it is.",
        "what",
        {
            "boards": backlog.boards,
            "held boards": backlog.held_boards,
            "challenges": backlog.challenges,
            "announcements": backlog.announcements,
            "direct messages": backlog.direct_messages,
        },
    )
    yield _gauge(
        "pencilbox_games_running",
        "Games in the servers of this process that are not over, by game.",
        "game",
        dict.fromkeys(BY_KEY, 0) | dict(backlog.running),
    )


def _searches(search: SearchWorkers, queue: "SearchQueue | None") -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "pencilbox_search_processes", "Processes that search for moves.", value=search.processes
    )
    yield _gauge(
        "pencilbox_searches",
        "Searches that run here, those that wait for a process here, and those that were given to workers.",
        "state",
        {
            "running": search.running,
            "waiting": search.waiting,
            "at workers": 0 if queue is None else queue.waiting,
        },
    )
    yield CounterMetricFamily(
        "pencilbox_search_processes_killed",
        "Processes that were ended during a search or while they were idle.",
        value=search.killed,
    )


def _gateway(bot: "Pencilbox", owned: int, connected: int) -> Iterator[Metric]:
    yield _gauge(
        "pencilbox_gateway_shards",
        "Shards of the gateway that this process owns, by state.",
        "state",
        {"connected": connected, "disconnected": owned - connected},
    )
    latencies = list(filter(math.isfinite, bot.clients.latencies()))
    yield GaugeMetricFamily(
        "pencilbox_gateway_latency_seconds",
        "The longest time of the shards from a heartbeat to its acknowledgement.",
        value=max(latencies, default=math.nan),
    )
    yield GaugeMetricFamily("pencilbox_servers", "Servers of these shards.", value=len(bot.clients.guilds()))


def _background(bot: "Pencilbox") -> Iterator[Metric]:
    yield _counter(
        "pencilbox_background_rounds",
        "Rounds of background tasks that have begun.",
        "task",
        {task.name: task.rounds for task in bot.background},
    )
    yield _counter(
        "pencilbox_background_failures",
        "Rounds of background tasks that failed.",
        "task",
        {task.name: task.failures for task in bot.background},
    )
    rounds = bot.services.rounds
    yield _counter(
        "pencilbox_item_failures",
        "Failed attempts to process an item of a background task, such as a game.",
        "task",
        rounds.failures,
    )
    yield _gauge(
        "pencilbox_items_set_aside",
        "Items that are no longer retried, in the whole database.",
        "task",
        dict.fromkeys(rounds.failures, 0) | rounds.set_aside,
    )


def _moves(bot: "Pencilbox") -> Metric:
    matches = bot.services.matches
    family = CounterMetricFamily(
        "pencilbox_moves",
        "Moves of members and computer players, by game and result.",
        labels=["game", "result"],
    )
    for game in BY_KEY:
        family.add_metric([game, "accepted"], matches.move_log.moves[game])
        family.add_metric([game, "refused"], matches.refusals[game])
    return family


def _pictures() -> Iterator[Metric]:
    yield CounterMetricFamily("pencilbox_pictures", "Pictures that were made.", value=KEPT.drawn)


Family = type[GaugeMetricFamily] | type[CounterMetricFamily]


def _family(kind: Family, name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a metric with a value for each value of a label."""
    family = kind(name, text, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


_gauge, _counter = partial(_family, GaugeMetricFamily), partial(_family, CounterMetricFamily)


log = structlog.get_logger()

LAG_INTERVAL = 0.25
"""Seconds between two measurements of the lag of the event loop."""


class Monitor:
    """The source of the pages. `subject` holds the parts of the process, and `meter` counts events."""

    def __init__(self, subject: Subject) -> None:
        self.registry = CollectorRegistry()
        self.meter = Instruments(self.registry)
        self.sql = SqlEvents(self.meter)
        self.subject = subject
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        self.registry.register(State(self.subject, self.sql))

    async def healthz(self, _: web.Request) -> web.Response:
        """Respond, which shows that the process and its event loop are running."""
        return web.json_response({"alive": True})

    async def readyz(self, _: web.Request) -> web.Response:
        """Return whether the process is ready, and what is not ready."""
        await self.subject.database.refresh()
        missing = {name: problem for name, problem in self.subject.checks().items() if problem is not None}
        return web.json_response(
            {"ready": not missing, "not_ready": missing, "standing_by": self.subject.standing_by},
            status=503 if missing else 200,
        )

    async def metrics(self, request: web.Request) -> web.Response:
        """Return the metrics in the format that Prometheus asks for."""
        await self.subject.database.refresh()
        encode, kind = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(self.registry), headers={"Content-Type": kind})


@asynccontextmanager
async def monitoring(host: str, port: int, subject: Subject) -> AsyncIterator[Monitor]:
    """Serve the pages as long as the context is open. Port 0 takes any free port. Raises ConfigError."""
    disable_created_metrics()  # type: ignore[no-untyped-call]  # the function has no type hints
    monitor = Monitor(subject)
    app = web.Application()
    app.router.add_get("/healthz", monitor.healthz)
    app.router.add_get("/readyz", monitor.readyz)
    app.router.add_get("/metrics", monitor.metrics)
    lag = asyncio.create_task(_observe_lag(monitor.meter.lag))
    try:
        async with http_server(app, host, port, "Metrics", "PENCILBOX_METRICS") as found:
            log.info("metrics.started", host=host, port=found)
            with monitor.sql.watching():
                yield monitor
    finally:
        lag.cancel()
        with suppress(asyncio.CancelledError):
            await lag
        await monitor.subject.database.close()


async def _observe_lag(lag: Histogram) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_INTERVAL
        await asyncio.sleep(LAG_INTERVAL)
        lag.observe(max(0.0, loop.time() - due))
