"""One local Discord with one bot for many tests: each finds new members in new channels, and an empty database."""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp

from bot.sandbox import Sandbox
from bot.sandbox.rest.wire import Exchange
from bot.sandbox.world import objects
from bot.sandbox.world.events import ChannelGone, ChannelMade, GuildChanged
from tests.contract.changes import Changes
from tests.contract.checker import Contract
from tests.contract.player import Player
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.club import Club
from tests.e2e.forked_process import KEPT

MEMBERS = ("Ada", "Grace", "Emmy")
CHANNELS = ("general", "lounge")
IDLE = 20.0
"""Seconds between two tests after which both are started again. The local Discord stands still while its worker runs
tests of other loops; discord.py gives up such a connection, and waits longer after each failed attempt to reconnect."""


class SharedServer:
    """A local Discord and its bot, which are started when the first test needs them, and again after a test in which
    one of them has stopped, the bot was removed, or something failed, and after IDLE seconds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._starts = 0
        self._running = AsyncExitStack()
        self._contract: Contract | None = None
        self._local: Sandbox | None = None
        self._bot: BotProcess | None = None
        self._returned = 0.0

    @asynccontextmanager
    async def lend(self, contract: Contract) -> AsyncIterator[Club]:
        """The server as if it was new, under this test's contract."""
        self._contract = contract
        contract.observes = True
        # A bot that comes back to a server opens a thread for each game there.
        removed = self._local is not None and not self._local.world.bot_is_in(self._local.world.guild["id"])
        idle = time.monotonic() - self._returned > IDLE
        if self._bot is None or not self._bot.running or removed or idle:
            await self._start()
        assert self._local is not None
        assert self._bot is not None
        local, bot = self._local, self._bot
        bot.resume()
        folder = self._folder / str(self._starts)
        await bot.begin_again()
        try:
            async with aiohttp.ClientSession(local.url) as session:
                yield Club(local, bot, folder, *_renewed(local, session, self._changes))
            assert "Traceback" not in bot.log, bot.log
            assert KEPT not in bot.log, bot.log
        except BaseException:
            await self.stop()
            raise
        if bot.running:
            bot.pause()
        self._returned = time.monotonic()

    async def stop(self) -> None:
        """End both."""
        self._local = self._bot = None
        await self._running.aclose()

    async def _start(self) -> None:
        await self.stop()
        self._starts += 1
        self._local = await self._running.enter_async_context(
            Sandbox(members=MEMBERS, channels=CHANNELS, privileged=False, observe=self._observe)
        )
        self._changes = Changes(self._local.world)
        folder = self._folder / str(self._starts)
        self._bot = await self._running.enter_async_context(bot_at(self._local.url, folder))

    def _observe(self, exchange: Exchange) -> None:
        if self._contract is not None:
            self._contract(exchange)


def _renewed(local: Sandbox, session: aiohttp.ClientSession, changes: Changes) -> list[Player]:
    """The server with other members and channels, which have the names of those before."""
    world = local.world
    with world.store.transaction():
        for channel in list(world.channels.values()):
            world.remove_channel(channel)
            world.publish(ChannelGone(channel))
        users = [objects.user(world.new_id(), name) for name in MEMBERS]
        world.put_members(world.guild["id"], users)
        world.closed.clear()
        world.installed.clear()
        world.guild.update(owner_id=users[0]["id"], system_channel_id=None)
        world.publish(GuildChanged(world.guild))
        channels = [
            objects.guild_channel(world.new_id(), world.guild["id"], name, position)
            for position, name in enumerate(CHANNELS)
        ]
        for channel in channels:
            world.put_channel(channel)
            world.publish(ChannelMade(channel))
    return [Player(session, user, channels[0]["id"], changes) for user in users]
