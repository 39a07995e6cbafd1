"""Serving shards in this process, together with the other processes of its database."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

import structlog

from bot.pencilbox import Pencilbox
from bot.shards.gateway import Gateway, ask_gateway
from bot.shards.logins import Logins
from bot.shards.manager import ShardManager
from bot.shards.runner import explained, run_shard
from bot.shards.shares import Shares
from bot.shards.tasks import until_cancelled
from bot.startup.config import ConfigError
from db.processes.link import AloneLink, Link, LinkLost
from db.values.failures import StoreUnavailable

log = structlog.get_logger()

SLOW = 5.0
"""Seconds after which a login that has not succeeded yet is logged."""


@dataclass(frozen=True, slots=True)
class ShardSettings:
    """The number of shards, and those of this process; None leaves it to the bot."""

    count: int | None = None
    shards: Collection[int] | None = None


async def serve(bot: Pencilbox, link: Link, token: str, settings: ShardSettings) -> None:
    """Serve shards until cancelled, and then give them up.

    Raises ConfigError and StoreUnavailable where the operator has to act.
    """
    gateway = await until_cancelled(_reach(token))
    count = await until_cancelled(_agree(link, settings, gateway))
    logins = Logins(gateway, lambda: ask_gateway(token), link)
    manager = ShardManager(
        bot, link, Shares(count, settings.shards), lambda it: run_shard(bot, it, count, token, logins)
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
    """Ask Discord what it recommends, as soon as it can be reached. Raises ConfigError."""
    while True:
        slow = asyncio.get_running_loop().call_later(SLOW, _tell_of_a_slow_login)
        try:
            return await ask_gateway(token)
        except Exception as error:
            pause = explained(error)
        finally:
            slow.cancel()
        await asyncio.sleep(pause)


def _tell_of_a_slow_login() -> None:
    log.warning("discord has not answered the login yet", seconds=SLOW)


async def _agree(link: Link, settings: ShardSettings, gateway: Gateway) -> int:
    """Return the number of shards of all processes. Raises ConfigError if the settings do not fit to it."""
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
