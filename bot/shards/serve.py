"""Serving the shards of this process, together with the other processes of its database."""

import asyncio
from collections.abc import Collection, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from bot.app.tasks.background import where_raised
from bot.client import ShardClient
from bot.pencilbox import Pencilbox
from bot.rate_limits import bound_answers
from bot.shards.logins import REFUSED_FOR_NOW, RETRY, Gateway, Logins, ask_gateway, pause_after, sentence_for
from bot.shards.manager import ShardAssignment, ShardManager
from bot.startup.config import ConfigError
from db.processes.link import AloneLink, Link, LinkLost
from db.values.failures import StoreUnavailable

log = structlog.get_logger()

T = TypeVar("T")

AGAIN = 0.1
"""Seconds after which a task that continues is cancelled again."""


async def until_cancelled(work: Coroutine[Any, Any, T]) -> T:
    """Await work that may swallow a cancellation. If this function is cancelled, it cancels the work until it ends.

    `asyncio.wait_for`, which discord.py and asyncpg use, swallows a cancellation that arrives together with its
    result (Python 3.11). Use this function only for work without cleanup.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait((task,))
    finally:
        while not task.done():
            task.cancel()
            await asyncio.wait((task,), timeout=AGAIN)
        if not task.cancelled():
            task.exception()  # retrieved here, or asyncio would log it after a cancellation
    return await task


async def run_shard(bot: Pencilbox, shard: int, count: int, token: str, logins: Logins) -> None:
    """Connect a shard until cancelled, and reconnect while Discord is unreachable. Raises ConfigError.

    At the end the gateway connection is closed at once, and the client after its running responses.
    """
    bound_answers()
    while True:
        client = ShardClient(bot, shard, count, logins)
        try:
            await until_cancelled(_connect(client, token, logins))
        except Exception as error:
            pause = _pause_after(client, _unreached(client, error))
        else:
            pause = RETRY
        finally:
            bot.unready(shard)
            try:
                await client.leave_gateway()
            finally:
                bot.close_after_answers(client)
        await asyncio.sleep(pause)


def _pause_after(client: ShardClient, error: Exception) -> float:
    """Return the seconds to wait before connecting a shard again. Raises the same errors as `explained`.

    An unknown error ends the process before the first connection, because the bot does not work at all then. Later it
    does not end the other shards.
    """
    try:
        return explained(error)
    except ConfigError:
        raise
    except Exception as unknown:
        if client.ws is None:
            raise
        log.error("shard.failed", shard=client.shard, error=type(unknown).__name__, at=where_raised(unknown))
        return REFUSED_FOR_NOW


async def _connect(client: ShardClient, token: str, logins: Logins) -> None:
    await client.login(token)
    # Before the first connection, for which discord.py waits no more than a minute.
    await logins.turn(client.shard)
    try:
        await client.connect()
    finally:
        logins.used(client.shard)


def explained(error: Exception) -> float:
    """Log a temporary error of Discord, and return the seconds to wait before the next attempt.

    Raises ConfigError for errors that the operator must fix, and other errors unchanged.
    """
    if (sentence := sentence_for(error)) is not None:
        raise ConfigError(sentence) from None
    if (pause := pause_after(error)) is None:
        raise error
    log.warning("discord.unreachable", error=type(error).__name__, retry_in=pause)
    return pause


def _unreached(client: ShardClient, error: Exception) -> Exception:
    """Return the cause of an error: discord.py raises an AttributeError if its first connection fails."""
    never = client.ws is None and isinstance(error, AttributeError)
    return ConnectionError("the gateway cannot be reached") if never else error


SLOW = 5.0
"""Seconds after which a pending login is logged."""


@dataclass(frozen=True, slots=True)
class ShardSettings:
    """The number of shards, and the shards of this process. None leaves the choice to the bot."""

    count: int | None = None
    shards: Collection[int] | None = None


async def serve(bot: Pencilbox, link: Link, token: str, settings: ShardSettings) -> None:
    """Serve shards until cancelled, and then release them.

    Raises ConfigError and StoreUnavailable if the operator has to act.
    """
    gateway = await until_cancelled(_reach(token))
    count = await until_cancelled(_agree(link, settings, gateway))
    logins = Logins(gateway, lambda: ask_gateway(token), link)
    manager = ShardManager(
        bot,
        link,
        ShardAssignment(count, settings.shards),
        lambda it: run_shard(bot, it, count, token, logins),
    )
    link.on_notification = manager.receive
    bot.begin()
    keeping = asyncio.create_task(manager.keep())
    try:
        await asyncio.wait((keeping,))
    finally:
        await bot.end()
        manager.stop()
        await asyncio.gather(keeping, return_exceptions=True)
        await bot.close_clients()
    await keeping


async def _reach(token: str) -> Gateway:
    """Return Discord's recommendation, as soon as Discord can be reached. Raises ConfigError."""
    while True:
        slow = asyncio.get_running_loop().call_later(SLOW, _log_slow_login)
        try:
            return await ask_gateway(token)
        except Exception as error:
            pause = explained(error)
        finally:
            slow.cancel()
        await asyncio.sleep(pause)


def _log_slow_login() -> None:
    log.warning("login.delayed", seconds=SLOW)


async def _agree(link: Link, settings: ShardSettings, gateway: Gateway) -> int:
    """Return the number of shards of all processes. Raises ConfigError if the settings contradict it."""
    try:
        count = await link.agree(settings.count or gateway.shards)
    except LinkLost:
        raise StoreUnavailable("The connection to the database was lost while the bot started.") from None
    if settings.count not in (None, count):
        raise ConfigError(
            f"The processes that serve this database have {count} shards, not {settings.count}: "
            "stop all of them before SHARD_COUNT changes."
        )
    if isinstance(link, AloneLink) and settings.shards is not None and len(settings.shards) < count:
        raise ConfigError(
            "A SQLite file is served by one process: leave SHARD_IDS out, or let DATABASE_URL name a PostgreSQL server."
        )
    unknown = sorted(set(settings.shards or ()).difference(range(count)))
    if unknown:
        raise ConfigError(
            f"SHARD_IDS names shard {unknown[0]}, but of {count} shards the last is {count - 1}."
        )
    return count
