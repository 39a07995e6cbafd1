"""`python -m bot`: run the bot, on Discord if DISCORD_TOKEN is set and on the embedded local Discord if not.

With arguments it runs a command for the person who runs the bot (bot.command_line).
"""

import sys

from bot.command_line import run_command

if __name__ == "__main__" and len(sys.argv) > 1:
    # Before the imports below, which a command does not need.
    sys.exit(run_command(sys.argv[1:]))

import gc

# Nothing that is imported is garbage, and looking for it takes a sixth of a start.
gc.disable()

import asyncio
import signal
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from bot.app.services import Services, build_services
from bot.client import Pencilbox
from bot.config import Config, ConfigError, read_config
from bot.health import beat
from bot.heap import set_up_heap
from bot.local_discord import TOKEN, local_discord, point_discord_py_at
from bot.login_errors import RETRY, pause_after, sentence_for
from bot.logs import set_up_logs
from bot.search import SearchWorkers
from bot.system import SystemChance, SystemClock
from bot.tasks import until_cancelled
from db.api.store import Store
from db.engine import open_store
from db.errors import StoreUnavailable
from db.process_lock import ProcessLock, process_lock

if TYPE_CHECKING:
    from bot.jobs.search import Searches

# What is imported stays, so that it need not be looked at again.
gc.freeze()
gc.enable()

log = structlog.get_logger()

SLOW = 5.0
"""Seconds after which a login that has not succeeded yet is logged."""
WAITING, WATCHING = 1.0, 10.0
"""Seconds between two tries to take the process lock, and between two checks that it is still held."""


async def run(config: Config) -> None:
    """Run until stopped. Raises ConfigError or StoreUnavailable, each with a sentence for the operator."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    try:
        config.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The data folder {config.data_dir} cannot be made ({error.strerror}): set PENCILBOX_DATA_DIR to another."
        ) from None
    async with AsyncExitStack() as stack:
        search = await _searches(config, stack)
        store = await stack.enter_async_context(open_store(config.database, config.data_dir))
        token = await _point_at_discord(config, stack)
        lock = await stack.enter_async_context(process_lock(config.database, config.data_dir))
        serving = asyncio.create_task(_serve_in_turn(config, store, search, token, lock))
        stopping = asyncio.create_task(stopped.wait())
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def _searches(config: Config, stack: AsyncExitStack) -> "Searches":
    """Return what searches for moves: processes of this one, or workers. Raises ConfigError and StoreUnavailable."""
    here = SearchWorkers(config.search_workers, config.search_seconds)
    stack.push_async_callback(here.close)
    if config.search == "here":
        return here
    # procrastinate and its driver, which only this setting needs, are a third of a start.
    from bot.jobs.search import workers_first

    return await stack.enter_async_context(workers_first(config, here))


async def _point_at_discord(config: Config, stack: AsyncExitStack) -> str:
    """Point discord.py at the local Discord unless the real one is meant, and return the token to log in with."""
    if config.local_url is not None:
        point_discord_py_at(config.local_url)
    elif config.token is None:
        local = await stack.enter_async_context(local_discord(config))
        print(f"Pencilbox is ready: open {local.url}/ in a browser. Stop it with Ctrl+C.", flush=True)
        point_discord_py_at(local.url)
    return config.token or TOKEN


async def _serve_in_turn(
    config: Config, store: Store, search: "Searches", token: str, lock: ProcessLock
) -> None:
    """Wait until no other process serves this database, then serve.

    Raises ConfigError, and StoreUnavailable if another process has taken over, as happens when the connection to
    PostgreSQL was lost.
    """
    await until_cancelled(_take(lock, config))
    await _renew_ratings(config, store)
    serving = asyncio.create_task(_serve(config, store, search, token))
    try:
        while not serving.done():
            await asyncio.wait((serving,), timeout=WATCHING)
            if not await until_cancelled(lock.acquire()):
                raise StoreUnavailable("Another process serves this database now, so this one ends.")
        await serving
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def _take(lock: ProcessLock, config: Config) -> None:
    """Wait until no other process holds the lock, and take it."""
    if not await lock.acquire():
        log.warning("another process serves this database; this one waits until that has ended")
        while not await lock.acquire():
            beat(config.data_dir)
            await asyncio.sleep(WAITING)
        log.info("the other process has ended; now this one serves")


async def _renew_ratings(config: Config, store: Store) -> None:
    """Compute the ratings again if the rules have changed, which takes a minute or so for 100,000 matches."""
    renewing = asyncio.create_task(store.renew_ratings(datetime.now(UTC)))
    try:
        while not renewing.done():
            beat(config.data_dir)
            await asyncio.wait((renewing,), timeout=WATCHING)
        if (matches := await renewing) is not None:
            log.info("the rules of ratings have changed; all ratings were computed again", matches=matches)
    finally:
        renewing.cancel()


def _services(config: Config, store: Store, search: "Searches") -> Services:
    return build_services(
        store,
        SystemClock(),
        SystemChance(),
        search,
        search,
        theme=config.theme,
        challenge_lifetime=config.challenge_lifetime,
        departure_grace=config.grace,
    )


async def _serve(config: Config, store: Store, search: "Searches", token: str) -> None:
    """Log in and serve; while Discord cannot be reached, try again. Raises ConfigError."""
    while True:
        pause = RETRY
        client = Pencilbox(_services(config, store, search), config.data_dir, config.moments_percent)
        slow = asyncio.get_running_loop().call_later(SLOW, _tell_of_a_slow_login, client)
        try:
            async with client:
                await until_cancelled(client.start(token))
        except Exception as error:
            if (sentence := sentence_for(error)) is not None:
                raise ConfigError(sentence) from None
            if (found := pause_after(error)) is None:
                raise
            pause = found
            log.warning("discord cannot be reached", error=type(error).__name__, retry_in=pause)
        finally:
            slow.cancel()
        await asyncio.sleep(pause)


def _tell_of_a_slow_login(client: Pencilbox) -> None:
    if client.user is None:
        log.warning("discord has not answered the login yet", seconds=SLOW)


def main() -> int:
    try:
        config = read_config()
        set_up_heap()
        set_up_logs(config.log_level, config.log_format)
        asyncio.run(run(config))
    except (ConfigError, StoreUnavailable) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
