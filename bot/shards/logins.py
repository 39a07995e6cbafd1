"""Logins at Discord's gateway: their limits, the turns of the shards, and the errors that end the bot."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import aiohttp
import discord
import structlog


@dataclass(frozen=True, slots=True)
class Gateway:
    """The recommended number of shards, and the limits of logins.

    `remaining` logins are left until `reset_after` seconds have passed. `at_once` shards may log in within five
    seconds; their numbers must have different remainders when divided by `at_once`.
    """

    shards: int
    at_once: int
    remaining: int
    reset_after: float


async def ask_gateway(token: str) -> Gateway:
    """Return the limits of logins. Raises the errors of a login of discord.py (see `sentence_for`)."""
    agent = discord.http.HTTPClient(asyncio.get_running_loop()).user_agent
    headers = {"Authorization": f"Bot {token}", "User-Agent": agent}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{discord.http.Route.BASE}/gateway/bot") as response,
    ):
        if response.status == 401:
            raise discord.LoginFailure("Discord does not know this token.")
        if response.status >= 500:
            raise discord.DiscordServerError(response, await response.text())
        if response.status != 200:
            raise discord.HTTPException(response, await response.text())
        said = await response.json(content_type=None)
    limits = said["session_start_limit"]
    return Gateway(
        said["shards"], limits["max_concurrency"], limits["remaining"], limits["reset_after"] / 1000
    )


RETRY = 5.0
"""Seconds before the next attempt if Discord cannot be reached."""
REFUSED_FOR_NOW = 60.0
"""Seconds before the next attempt after too many requests, if Discord names no time."""

_GATEWAY_REFUSALS = {
    4004: "the token was not accepted: copy DISCORD_TOKEN again from the Bot page of your application",
    4010: "the shards are wrong: leave SHARD_COUNT and SHARD_IDS out, or correct them",
    4011: "the bot is in too many servers for so few shards: leave SHARD_COUNT out, or raise it for all processes",
    4012: "this version of the gateway is no longer served: update Pencilbox",
    4013: "the intents are unknown: update Pencilbox",
    4014: "the intents are not allowed: look at Privileged Gateway Intents on the Bot page of your application",
}

LONGEST_REASON = 300
"""Longest explanation by Discord in a sentence for the operator, in characters."""

_COMMAND_REFUSALS = {
    401: "copy DISCORD_TOKEN again from the Bot page of your application",
    403: "check that DISCORD_TOKEN belongs to this application",
}


def pause_after(error: Exception) -> float | None:
    """Return the seconds before the next attempt, or None for an error that is not temporary."""
    if isinstance(error, discord.HTTPException) and error.status == 429:
        return _retry_after(error)
    if isinstance(error, discord.RateLimited):
        return max(RETRY, error.retry_after)
    if isinstance(
        error, discord.DiscordServerError | discord.GatewayNotFound | aiohttp.ClientError | OSError
    ):
        return RETRY
    return None


def sentence_for(error: Exception) -> str | None:
    """Return the sentence that tells the operator how to fix an error, or None for temporary and unknown errors."""
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return _closed(4014)
    if isinstance(error, discord.ConnectionClosed):
        return _closed(error.code)
    if isinstance(error, discord.LoginFailure):
        return "DISCORD_TOKEN was refused by Discord: copy it again from the Bot page of your application."
    if isinstance(error, discord.HTTPException) and pause_after(error) is None:
        return _refused(error)
    return None


def _closed(code: int | None) -> str:
    reason = _GATEWAY_REFUSALS.get(code or 0, "look the code up among Discord's gateway close codes")
    return f"Discord has closed the connection for good (code {code}): {reason}."


def _refused(error: discord.HTTPException) -> str:
    about = f"{error.status}, code {error.code}" if error.code else str(error.status)
    if error.response.url.path.endswith("/commands"):
        advice = _COMMAND_REFUSALS.get(error.status, "update Pencilbox, or report this sentence")
        reason = " ".join(error.text.split())[:LONGEST_REASON].removesuffix(".")
        return f"Discord has refused the bot's commands ({about}{reason and f': {reason}'}): {advice}."
    return (
        f"Discord has refused the login ({about}): check in the Developer Portal that the application "
        "of DISCORD_TOKEN still exists and is not disabled."
    )


def _retry_after(error: discord.HTTPException) -> float:
    try:
        return max(RETRY, float(error.response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return REFUSED_FOR_NOW


log = structlog.get_logger()

SPAN = 5.5
"""Seconds between two logins of one remainder. Discord accepts one in five seconds; requests may be delayed."""
AGAIN = 0.5
"""Seconds between two attempts to get the turn from another process."""


class Turns(Protocol):
    """The turns to log in, which are shared by all processes of a database."""

    async def take_turn(self, remainder: int) -> bool:
        """Take the turn of a remainder. Return False if another process has it."""

    async def end_turn(self, remainder: int) -> None:
        """Release the turn."""


class Logins:
    """Schedules the logins of shards. `ask` returns the number of logins that are left.

    A shard awaits its `turn`, logs in, and calls `used` at that moment or when it does not log in after all.
    """

    def __init__(self, gateway: Gateway, ask: Callable[[], Awaitable[Gateway]], turns: Turns) -> None:
        self._gateway = gateway
        self._ask = ask
        self._turns = turns
        self._mine: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._shards: dict[int, int] = {}
        """By remainder: the shard that has the turn and has not logged in."""
        self._ending: set[asyncio.Task[None]] = set()
        self._left = gateway.remaining
        self._asked_at = monotonic()

    async def turn(self, shard: int) -> None:
        """Wait until a shard may log in."""
        remainder = shard % self._gateway.at_once
        await self._mine[remainder].acquire()
        self._shards[remainder] = shard
        try:
            # The turn may belong to another process, which cannot set an event here.
            while not await self._turns.take_turn(remainder):  # noqa: ASYNC110 - see above
                await asyncio.sleep(AGAIN)
            await self._wait_for_one()
        except BaseException:
            self.used(shard)
            raise

    def used(self, shard: int) -> None:
        """Record that the shard with the turn logs in now, or will not log in."""
        remainder = shard % self._gateway.at_once
        if self._shards.get(remainder) == shard:
            del self._shards[remainder]
            ending = asyncio.create_task(self._end(remainder))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def _end(self, remainder: int) -> None:
        """Release the turn after the time that Discord requires."""
        try:
            await asyncio.sleep(SPAN)
            await self._turns.end_turn(remainder)
        finally:
            # Otherwise no shard of this remainder could log in any more.
            self._mine[remainder].release()

    async def _count_others(self) -> None:
        """Read how many logins are left, since other processes log in too. After an error continue to count."""
        now = monotonic()
        if now - self._asked_at < SPAN:
            return
        self._asked_at = now
        try:
            self._left = (await self._ask()).remaining
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("logins.not_counted", error=type(error).__name__, left=self._left)

    async def _wait_for_one(self) -> None:
        """Wait until Discord accepts another login: it limits the logins a day of all processes together."""
        await self._count_others()
        self._left -= 1
        while self._left < 0:
            found = await self._ask()
            if found.remaining > 0:
                self._left = found.remaining - 1
                return
            log.error("login.limit_reached", seconds=found.reset_after)
            await asyncio.sleep(max(SPAN, found.reset_after))
