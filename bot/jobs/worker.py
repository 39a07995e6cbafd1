"""`python -m bot worker`: search for moves and puzzles for any number of bots on the same PostgreSQL."""

import asyncio
from argparse import Namespace
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import partial

import structlog

from bot.app.tasks.background import BackgroundTask
from bot.health import touch_alive_file
from bot.jobs.search import answer
from bot.operators.arguments import Arguments, run
from bot.search.workers import SearchWorkers
from bot.startup.config import Config, ConfigError
from bot.startup.logs import set_up_logs
from bot.startup.system import make_folder, stop_requested
from db.address import Server, address
from db.jobs.work import work

log = structlog.get_logger()

BEAT = 10.0
"""Seconds between two signs for the health check."""


async def search_until_stopped(config: Config) -> None:
    """Answer searches until stopped. Raises ConfigError and StoreUnavailable."""
    place = address(config.database, config.data_dir)
    if not isinstance(place, Server):
        raise ConfigError(
            "Workers get their searches from PostgreSQL: let DATABASE_URL name the bot's; "
            "a bot on SQLite searches itself."
        )
    stopped = stop_requested()
    make_folder(config.data_dir)
    async with AsyncExitStack() as stack:
        search = SearchWorkers(config.search_workers, config.search_seconds)
        stack.push_async_callback(search.close)
        reached = await _start_monitor(config, stack, search)
        await _work(config, place, search, stopped, reached)


async def _work(
    config: Config,
    place: Server,
    search: SearchWorkers,
    stopped: asyncio.Event,
    reached: Callable[[bool], None],
) -> None:
    async def answered(question: str) -> str:
        return await answer(question, search)

    working = asyncio.create_task(work(place, config.search_workers, answered, reached))
    beating = asyncio.create_task(BackgroundTask("beat", partial(_beat, config)).run())
    stopping = asyncio.create_task(stopped.wait())
    try:
        log.info("worker.started", processes=config.search_workers)
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
    finally:
        beating.cancel()
        stopping.cancel()


async def _start_monitor(
    config: Config, stack: AsyncExitStack, search: SearchWorkers
) -> Callable[[bool], None]:
    """Serve metrics if that is wanted. Return what is to be told if the queue can be reached. Raises ConfigError."""
    if config.metrics_port is None:
        return lambda _: None
    from bot.monitoring.state import monitoring
    from bot.monitoring.subject import DatabaseProbe, WorkerSubject

    subject = WorkerSubject(DatabaseProbe(), search)
    await stack.enter_async_context(monitoring(config.metrics_host, config.metrics_port, subject))
    return partial(setattr, subject, "reached")


async def _beat(config: Config) -> float:
    touch_alive_file(config.data_dir)
    return BEAT


async def _worker(_: Namespace, config: Config) -> int:
    set_up_logs(config.log_level, config.log_format)
    await search_until_stopped(config)
    return 0


def main() -> int:
    return run(Arguments("worker"), _worker)
