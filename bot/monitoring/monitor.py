"""The pages /healthz, /readyz and /metrics, served on their own port by the event loop that they describe."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

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
from prometheus_client.exposition import choose_encoder

from bot.monitoring.instruments import Instruments, SqlEvents
from bot.monitoring.state import State
from bot.monitoring.subject import Subject
from bot.startup.http_server import http_server

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
