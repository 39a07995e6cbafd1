"""Turns to log in at Discord's gateway, which takes few logins in five seconds, from all processes together."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

import aiohttp
import discord
import structlog

from bot.shards.gateway import Gateway

log = structlog.get_logger()

SPAN = 5.5
"""Seconds between two logins of one remainder: Discord takes one in five, and they may arrive unevenly."""
AGAIN = 0.5
"""Seconds between two tries to get the turn from another process."""


class Turns(Protocol):
    """The turns to log in, which all processes of a database share."""

    async def take_turn(self, remainder: int) -> bool:
        """Take the turn of a remainder, unless another process has it."""

    async def end_turn(self, remainder: int) -> None:
        """Give the turn back."""


class Logins:
    """Lets one shard after the other log in. `ask` asks Discord how many logins are left.

    A shard that has its `turn` logs in, and calls `used` at that moment or when it does not log in after all.
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
        """Wait for the turn of a shard, which may then log in."""
        remainder = shard % self._gateway.at_once
        await self._mine[remainder].acquire()
        self._shards[remainder] = shard
        try:
            # Another process has it, which can set no event here.
            while not await self._turns.take_turn(remainder):  # noqa: ASYNC110 - see above
                await asyncio.sleep(AGAIN)
            await self._wait_for_one()
        except BaseException:
            self.used(shard)
            raise

    def used(self, shard: int) -> None:
        """Note that a shard, if it has the turn, logs in now, or will not."""
        remainder = shard % self._gateway.at_once
        if self._shards.get(remainder) == shard:
            del self._shards[remainder]
            ending = asyncio.create_task(self._end(remainder))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def _end(self, remainder: int) -> None:
        """Keep the turn for as long as Discord wants."""
        try:
            await asyncio.sleep(SPAN)
            await self._turns.end_turn(remainder)
        finally:
            # Otherwise no shard of this remainder could log in any more.
            self._mine[remainder].release()

    async def _count_others(self) -> None:
        """Ask Discord how many logins are left, since other processes log in too. Without an answer, count on."""
        now = monotonic()
        if now - self._asked_at < SPAN:
            return
        self._asked_at = now
        try:
            self._left = (await self._ask()).remaining
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("logins.not_counted", error=type(error).__name__, left=self._left)

    async def _wait_for_one(self) -> None:
        """Wait until Discord takes another login: it takes so many a day, from all processes together."""
        await self._count_others()
        self._left -= 1
        while self._left < 0:
            found = await self._ask()
            if found.remaining > 0:
                self._left = found.remaining - 1
                return
            log.error("discord takes no more logins of this application for now", seconds=found.reset_after)
            await asyncio.sleep(max(SPAN, found.reset_after))
