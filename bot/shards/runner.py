"""Keeping one shard connected, for as long as this process owns it."""

import asyncio

import structlog

from bot.app.tasks.background import where_raised
from bot.client import ShardClient
from bot.pencilbox import Pencilbox
from bot.rate_limits import bound_answers
from bot.shards.login_errors import REFUSED_FOR_NOW, RETRY, pause_after, sentence_for
from bot.shards.logins import Logins
from bot.shards.tasks import until_cancelled
from bot.startup.config import ConfigError

log = structlog.get_logger()


async def run_shard(bot: Pencilbox, shard: int, count: int, token: str, logins: Logins) -> None:
    """Connect a shard until cancelled; while Discord cannot be reached, try again. Raises ConfigError.

    In the end the gateway connection is closed at once, and the client when its running answers have ended.
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
    """Return the seconds after which to connect a shard again after an error.

    An unknown error of a shard that was connected does not end the other shards of this process. Before the first
    connection it does: the bot does not work at all then. Raises as `explained` does.
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
    """Return the seconds after which to try again after an error of Discord, which is logged.

    Raises ConfigError for those of which the operator must know, and other errors as they are.
    """
    if (sentence := sentence_for(error)) is not None:
        raise ConfigError(sentence) from None
    if (pause := pause_after(error)) is None:
        raise error
    log.warning("discord cannot be reached", error=type(error).__name__, retry_in=pause)
    return pause


def _unreached(client: ShardClient, error: Exception) -> Exception:
    """Return the reason of an error: discord.py raises an AttributeError if its first connection fails."""
    never = client.ws is None and isinstance(error, AttributeError)
    return ConnectionError("the gateway cannot be reached") if never else error
