"""Fixtures: a local Discord, a bot on it, and a browser that shows its page."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, TypeAlias

import discord
import pytest
import pytest_asyncio
import yarl

from bot.sandbox import Sandbox
from bot.sandbox.world.clock import SystemClock
from tests.sandbox.page.chat import Chat, Step
from tests.sandbox.page.showcase import Showcase
from tests.sandbox.page.windows import Windows

Open: TypeAlias = Callable[..., Awaitable[Chat]]
"""`await open_chat("Ada", width=400, ...)`: a window of a member; further arguments go to the browser context."""


class SkippableClock(SystemClock):
    """The system's clock, but a test can end the waiting of all who wait."""

    def __init__(self) -> None:
        self._skipped = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._skipped.wait(), seconds)

    def skip(self) -> None:
        self._skipped.set()
        self._skipped = asyncio.Event()


@pytest.fixture
def clock() -> SkippableClock:
    return SkippableClock()


@pytest.fixture(scope="session")
def port() -> int:
    """Return a port for all tests of the page, because browsers cache the page's files by address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        found: int = free.getsockname()[1]
        return found


@pytest_asyncio.fixture(loop_scope="session")
async def local(port: int, clock: SkippableClock) -> AsyncIterator[Sandbox]:
    def sandbox(port: int) -> Sandbox:
        channels, welcome = ("general", "games"), "**Hello!** Type `/` to begin."
        return Sandbox(port, channels=channels, welcome=welcome, clock=clock)

    started = sandbox(port)
    try:
        await started.start()
    except OSError:  # Another program has taken the port meanwhile.
        started = sandbox(0)
        await started.start()
    yield started
    await started.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def showcase(local: Sandbox, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Showcase]:
    """Return the bot, logged in, with its commands registered."""
    monkeypatch.setattr(discord.http.Route, "BASE", f"{local.url}/api/v10")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(local.gateway))
    monkeypatch.setattr(discord.asset.Asset, "BASE", local.url)
    bot = Showcase()
    running = asyncio.create_task(bot.start("token"))
    ready = asyncio.create_task(bot.ready.wait())
    await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
    assert bot.ready.is_set(), running.exception()
    yield bot
    await bot.close()
    await running


@pytest_asyncio.fixture(loop_scope="session")
async def open_chat(windows: Windows, local: Sandbox, showcase: Showcase) -> AsyncIterator[Open]:
    """Return a function that opens windows with separate storage. An error in a script fails the test."""
    chats: list[Chat] = []

    async def open_one(name: str = "Ada", **more: Any) -> Chat:
        chat = await stack.enter_async_context(windows.lend(**more))
        chats.append(chat)
        await chat.page.goto(f"{local.url}/?as={local.member(name)['id']}")
        # The last banner disappears when the page has its events socket and the bot is online.
        await chat.page.locator(".message").first.wait_for()
        await chat.page.locator(".banner.warning").wait_for(state="detached")
        return chat

    async with AsyncExitStack() as stack:
        yield open_one
    assert [fault for chat in chats for fault in chat.faults] == []


def steps_of(*sample: Step, rest: Sequence[Step]) -> pytest.MarkDecorator:
    """Run a test with the `steps` of the sample, and in `make soak` also with the rest."""
    return pytest.mark.parametrize(
        "steps",
        [pytest.param(sample, id="sample"), pytest.param(rest, id="rest", marks=pytest.mark.soak)],
    )


async def take(open_chat: Open, *steps: Step) -> None:
    """Take steps one after the other in a window."""
    chat = await open_chat()
    for step in steps:
        await step(chat)
        await chat.begin_again()
