"""Runs the bot: on Discord with DISCORD_TOKEN, else on the embedded local Discord. This is where all is wired."""

import asyncio
import signal
import sys
from contextlib import AsyncExitStack, suppress

import aiohttp
import discord
import structlog

from bot.client import Pencilbox
from bot.config import Config, ConfigError, read_config
from bot.health import beat
from bot.local_discord import TOKEN, local_discord, point_discord_py_at
from bot.logs import set_up_logs
from bot.system import SystemChance, SystemClock
from db.api.store import Store
from db.engine import open_store
from db.errors import StoreUnavailable
from db.process_lock import ProcessLock, process_lock

log = structlog.get_logger()

RETRY = 5.0
"""Seconds before the next try when Discord cannot be reached at all."""
WAITING, WATCHING = 1.0, 10.0
"""Seconds between two looks at whether the turn to serve has come, and whether it is still ours."""


async def run(config: Config) -> None:
    """Run until stopped. Raises ConfigError, or StoreUnavailable with a sentence for the operator."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    try:
        config.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The data folder {config.data_dir} cannot be made ({error.strerror}): set PENCILBOX_DATA_DIR to another."
        ) from None
    url = config.database_url.get_secret_value() if config.database_url else None
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(url, config.data_dir))
        token = await _where(config, stack)
        turn = await stack.enter_async_context(process_lock(url, config.data_dir))
        serving = asyncio.create_task(_serve_in_turn(config, store, token, turn))
        stopping = asyncio.create_task(stopped.wait())
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def _where(config: Config, stack: AsyncExitStack) -> str:
    """Point discord.py at where we play, and answer the token to log in with there."""
    token = config.discord_token.get_secret_value() if config.discord_token else None
    if config.local_url is not None:
        point_discord_py_at(config.local_url)
    elif token is None:
        local = await stack.enter_async_context(local_discord(config))
        print(f"Pencilbox is ready: open {local.url}/ in a browser. Stop it with Ctrl+C.", flush=True)
        point_discord_py_at(local.url)
    return token or TOKEN


async def _serve_in_turn(config: Config, store: Store, token: str, turn: ProcessLock) -> None:
    """Wait until no other process serves this database, then serve. Raises ConfigError, and StoreUnavailable when
    another has taken over, as happens where the connection to PostgreSQL was lost."""
    if not await turn.take():
        log.warning("another process serves this database; this one waits until that has ended")
        while not await turn.take():
            beat(config.data_dir)
            await asyncio.sleep(WAITING)
        log.info("the other process has ended; now this one serves")
    serving = asyncio.create_task(_serve(config, store, token))
    try:
        while not serving.done():
            await asyncio.wait((serving,), timeout=WATCHING)
            if not await turn.take():
                raise StoreUnavailable("Another process serves this database by now, so this one ends.")
        await serving
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def _serve(config: Config, store: Store, token: str) -> None:
    """Log in and stay; where Discord cannot be reached, try again until it can. Raises ConfigError."""
    while True:
        client = Pencilbox(
            store,
            SystemClock(),
            SystemChance(),
            theme=config.theme,
            lifetime=config.challenge_lifetime,
            grace=config.grace,
            data_dir=config.data_dir,
        )
        try:
            async with client:
                await client.start(token)
        except discord.LoginFailure:
            raise ConfigError(
                "DISCORD_TOKEN was refused by Discord: copy it anew from the Bot page of your application."
            ) from None
        except (discord.DiscordServerError, discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
            log.warning("discord cannot be reached", error=type(error).__name__, retry_in=RETRY)
        await asyncio.sleep(RETRY)


def main() -> int:
    try:
        config = read_config()
        set_up_logs(config.log_level, config.log_format)
        asyncio.run(run(config))
    except (ConfigError, StoreUnavailable) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
