"""Fixtures: a local Discord, two members, a bot that speaks raw frames, and a bot made with discord.py."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import discord
import pytest
import yarl
from discord import app_commands

from bot.sandbox import ManualClock, Sandbox
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.sandbox.raw_bot import RawBot, raw_bot


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def local(clock: ManualClock, responses: Contract) -> AsyncIterator[Sandbox]:
    """Run a local Discord whose time stands still until the test moves the clock. Its responses are checked."""
    async with Sandbox(members=("Ada", "Grace"), clock=clock, observe=responses) as started:
        yield started


@pytest.fixture
async def members(local: Sandbox) -> AsyncIterator[list[Player]]:
    async with players(local.url) as found:
        yield found


@pytest.fixture
def ada(members: list[Player]) -> Player:
    return members[0]


@pytest.fixture
def grace(members: list[Player]) -> Player:
    return members[1]


@pytest.fixture
async def rest(local: Sandbox, responses: Contract) -> AsyncIterator[RawBot]:
    """Return a bot that only uses REST."""
    async with raw_bot(local) as bot:
        yield bot
        for event in bot.seen:
            responses.event(event)


@pytest.fixture
async def raw(rest: RawBot) -> AsyncIterator[RawBot]:
    """Return a bot that is logged in at the gateway and has the command /ask."""
    await rest.register({"name": "ask", "description": "Ask the bot"})
    await rest.open()
    await rest.identify()
    yield rest
    await rest.close()


class Bot(discord.Client):
    """The client of discord.py without its wait of 5 seconds before it identifies again."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        pass


@dataclass
class Client:
    """A running discord.py client. `happened` holds the names of its events, in order."""

    bot: discord.Client
    tree: app_commands.CommandTree
    happened: asyncio.Queue[str]

    async def until(self, name: str) -> None:
        while await asyncio.wait_for(self.happened.get(), 20) != name:
            pass


@pytest.fixture
async def client(local: Sandbox, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    """Return an unmodified discord.py client, logged in and ready."""
    monkeypatch.setattr(discord.http.Route, "BASE", f"{local.url}/api/v10")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(local.gateway))
    bot = Bot(intents=discord.Intents.default(), guild_ready_timeout=0.1)
    made = Client(bot, app_commands.CommandTree(bot), asyncio.Queue())

    def hear(name: str) -> None:
        async def heard(*_: object) -> None:
            made.happened.put_nowait(name)

        setattr(bot, f"on_{name}", heard)

    for name in ("ready", "resumed", "disconnect", "message"):
        hear(name)
    running = asyncio.create_task(bot.start("any"))
    await made.until("ready")
    yield made
    await bot.close()
    await running
