"""`python -m bot`: run the bot, on Discord if DISCORD_TOKEN is set and on the embedded local Discord if not.

With arguments it runs a command for the person who runs the bot (bot.startup.command_line).
"""

import sys

from bot.startup.command_line import run_command

if __name__ == "__main__" and len(sys.argv) > 1:
    # Before the imports below, which a command does not need.
    sys.exit(run_command(sys.argv[1:]))

import gc

# Imported objects are never garbage, and collecting them takes a sixth of a start.
gc.disable()

import asyncio
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from bot.app.matches.listed import complete_turns
from bot.app.services import Services
from bot.health import touch_alive_file
from bot.pencilbox import Pencilbox
from bot.search.workers import SearchWorkers
from bot.shards.serve import ShardSettings, serve, until_cancelled
from bot.startup.config import Config, ConfigError, read_config
from bot.startup.local_discord import NOTE, TOKEN, local_discord, point_discord_py_at, send_requests_through
from bot.startup.logs import set_up_logs
from bot.startup.output import complain, release_streams, say
from bot.startup.system import SystemChance, SystemClock, make_folder, set_up_heap, stop_requested
from bot.ui.services import Links, TouchedMatches
from db.engine import open_store, prepare
from db.processes.link import AloneLink, Link
from db.processes.open import process_link
from db.store import Store
from db.values.failures import StoreUnavailable
from db.values.places import Ownership

if TYPE_CHECKING:
    from bot.app.searches import Searches
    from bot.monitoring.state import Monitor
    from bot.sandbox import Sandbox

# Imported objects stay, so the collector need not examine them again.
gc.freeze()
gc.enable()

log = structlog.get_logger()

WAITING, WATCHING = 1.0, 10.0
"""Seconds between two attempts to join the processes of a database, and between two touches of the alive file."""


async def run(config: Config) -> None:
    """Run until stopped. Raises ConfigError or StoreUnavailable with a sentence for the operator."""
    stopped = stop_requested()
    make_folder(config.data_dir)
    async with AsyncExitStack() as stack:
        monitor = await _start_monitor(config, stack)
        search = await _searches(config, stack, monitor)
        ownership = Ownership()
        # A SQLite file is locked before it is opened and until it is closed, so that nothing replaces it meanwhile.
        link = await stack.enter_async_context(process_link(config.database, config.data_dir))
        waits = isinstance(link, AloneLink) and not await link.join()
        store = await stack.enter_async_context(
            open_store(config.database, config.data_dir, ownership, prepared=waits)
        )
        token, local = await _point_at_discord(config, stack)
        services = _services(config, store, search, ownership)
        meter = None if monitor is None else monitor.meter
        links = Links(config.privacy_url, config.terms_url, config.support_url, config.feedback_channel)
        note = NOTE if config.local_url is None and config.token is None else None
        application = config.activity_client_id if config.has_activity else None
        if local is not None:
            application = int(local.world.application["id"])
        touched = None if application is None else TouchedMatches(application)
        bot = Pencilbox(
            services,
            config.data_dir,
            config.moments_percent,
            config.admin_server,
            meter,
            links,
            note,
            touched_matches=touched,
        )
        if touched is not None:
            await _start_activity(config, bot, token, local, stack)
        if monitor is not None:
            monitor.subject.bot, monitor.subject.database.store = bot, store.administration
        serving = asyncio.create_task(_serve(config, store, bot, token, link, prepared=not waits))
        stopping = asyncio.create_task(stopped.wait())
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def _start_monitor(config: Config, stack: AsyncExitStack) -> "Monitor | None":
    """Serve metrics if a port is configured. Raises ConfigError."""
    if config.metrics_port is None:
        return None
    # Without metrics their library is not imported.
    from bot.monitoring.state import monitoring
    from bot.monitoring.subject import DatabaseProbe, Subject

    subject = Subject(DatabaseProbe())
    return await stack.enter_async_context(monitoring(config.metrics_host, config.metrics_port, subject))


async def _searches(config: Config, stack: AsyncExitStack, monitor: "Monitor | None") -> "Searches":
    """Return the search for moves: child processes or workers. Raises ConfigError and StoreUnavailable."""
    here = SearchWorkers(config.search_workers, config.search_seconds)
    stack.push_async_callback(here.close)
    if monitor is not None:
        monitor.subject.search = here
    if config.search == "here":
        return here
    # Only this setting needs procrastinate and its driver, which take a third of a start.
    from bot.jobs.search import workers_first

    workers = await stack.enter_async_context(workers_first(config, here))
    if monitor is not None:
        monitor.subject.queue = workers.queue
    return workers


async def _start_activity(
    config: Config, bot: Pencilbox, token: str, local: "Sandbox | None", stack: AsyncExitStack
) -> None:
    """Serve the page of the Activity. Raises ConfigError."""
    from bot.activity.discord_api import Application
    from bot.activity.server import serving

    if local is None:
        assert config.activity_client_id is not None
        assert config.activity_client_secret is not None
        application = Application(
            config.activity_client_id, config.activity_client_secret.get_secret_value(), token
        )
        await stack.enter_async_context(serving(bot, application, config.activity_host, config.activity_port))
        return
    application = Application(
        int(local.world.application["id"]), local.services.activities.secret, local.token
    )
    port = await stack.enter_async_context(serving(bot, application, "127.0.0.1", 0))
    local.enable_activities(f"http://127.0.0.1:{port}")


async def _point_at_discord(config: Config, stack: AsyncExitStack) -> "tuple[str, Sandbox | None]":
    """Configure discord.py for the local or the real Discord.

    Return the token to log in with, and the local Discord if it is embedded.
    """
    local = None
    if config.local_url is not None:
        point_discord_py_at(config.local_url)
    elif config.token is None:
        local = await stack.enter_async_context(local_discord(config))
        say(f"Pencilbox is ready: open {local.url}/ in a browser. Stop it with Ctrl+C.")
        point_discord_py_at(local.url)
    if config.proxy_url is not None:
        send_requests_through(config.proxy_url)
    return config.token or TOKEN, local


async def _serve(
    config: Config, store: Store, bot: Pencilbox, token: str, link: Link, *, prepared: bool
) -> None:
    """Serve together with the other processes of the database. Raises ConfigError and StoreUnavailable."""
    await until_cancelled(_join(link, config, bot))
    if not prepared:
        await prepare(config.database, config.data_dir)
    await _complete(config, store)
    await serve(bot, link, token, ShardSettings(config.shard_count, config.shards))


async def _join(link: Link, config: Config, bot: Pencilbox) -> None:
    """Wait until no other process locks the database."""
    if not await link.join():
        bot.stands_by = True
        log.warning("database.locked_by_another_process")
        while not await link.join():
            touch_alive_file(config.data_dir)
            await asyncio.sleep(WAITING)
        bot.stands_by = False
        log.info("database.acquired")


async def _complete(config: Config, store: Store) -> None:
    """Replay matches that an earlier version stored without their turns, and renew the ratings if the rules changed.

    Ratings take about a minute for 100,000 matches.
    """
    completing = asyncio.create_task(_completed(store))
    try:
        while not completing.done():
            touch_alive_file(config.data_dir)
            await asyncio.wait((completing,), timeout=WATCHING)
        await completing
    finally:
        completing.cancel()


async def _completed(store: Store) -> None:
    await complete_turns(store)
    if (matches := await store.ratings.renew(datetime.now(UTC))) is not None:
        log.info("ratings.recomputed", matches=matches)


def _services(config: Config, store: Store, search: "Searches", ownership: Ownership) -> Services:
    return Services(
        store,
        SystemClock(),
        SystemChance(),
        search,
        theme=config.theme,
        challenge_lifetime=config.challenge_lifetime,
        departure_grace=config.grace,
        retention_months=config.retention_months,
        ownership=ownership,
    )


def main() -> int:
    try:
        config = read_config()
        set_up_heap()
        set_up_logs(config.log_level, config.log_format)
        asyncio.run(run(config))
    except (ConfigError, StoreUnavailable) as error:
        complain(error)
        return 2
    finally:
        release_streams()
    return 0


if __name__ == "__main__":
    sys.exit(main())
