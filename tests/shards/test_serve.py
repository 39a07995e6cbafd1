"""Running a shard: a failed client is connected again, and a cancelled task ends."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
import structlog
from discord import LoginFailure

from bot.shards import serve
from bot.shards.serve import run_shard, until_cancelled
from bot.startup.config import ConfigError

PATIENCE = 20.0
"""Timeout in seconds of a reconnection, after which the test fails."""


class Client:
    """A client of a shard whose first connection fails."""

    connections = 0
    error: Exception = KeyError("op")
    reached = True
    again = asyncio.Event()

    def __init__(self, bot: object, shard: int, count: int, logins: object) -> None:
        self.shard, self.ws = shard, None

    async def leave_gateway(self) -> None:
        pass

    async def login(self, token: str) -> None:
        pass

    async def connect(self) -> None:
        Client.connections += 1
        self.ws = cast(Any, object() if Client.reached else None)
        if Client.connections == 1:
            raise Client.error
        Client.again.set()
        await asyncio.Event().wait()


@pytest.fixture(autouse=True)
def client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "ShardClient", Client)
    monkeypatch.setattr(serve, "REFUSED_FOR_NOW", 0.0)
    monkeypatch.setattr(Client, "connections", 0)
    monkeypatch.setattr(Client, "again", asyncio.Event())


async def run() -> None:
    async def turn(shard: int) -> None:
        pass

    bot = SimpleNamespace(unready=lambda shard: None, close_after_answers=lambda client: None)
    logins = SimpleNamespace(turn=turn, used=lambda shard: None)
    await run_shard(cast(Any, bot), 3, 4, "token", cast(Any, logins))


async def test_unknown_error_of_a_shard_ends_no_other() -> None:
    with structlog.testing.capture_logs() as lines:
        running = asyncio.create_task(run())
        async with asyncio.timeout(PATIENCE):
            await Client.again.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    (line,) = (it for it in lines if it["event"] == "shard.failed")
    assert (line["shard"], line["error"]) == (3, "KeyError")


async def test_unknown_error_before_a_connection_ends_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Client, "reached", False)
    with pytest.raises(KeyError):
        await run()


async def test_permanent_error_ends_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Client, "error", LoginFailure())
    with pytest.raises(ConfigError):
        await run()


class Stubborn:
    """Work that swallows a number of cancellations."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.waiting = asyncio.Event()

    async def work(self) -> str:
        while True:
            self.waiting.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.left -= 1
                if self.left < 0:
                    raise


@pytest.mark.parametrize("times", [0, 1, 3])
async def test_swallowed_cancellation_is_repeated(times: int) -> None:
    stubborn = Stubborn(times)
    task = asyncio.create_task(until_cancelled(stubborn.work()))
    await stubborn.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stubborn.left == -1


async def test_work_that_fails_when_cancelled_ends() -> None:
    begun = asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError("the connection was lost")

    task = asyncio.create_task(until_cancelled(work()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_results_and_errors_are_returned() -> None:
    async def answer() -> int:
        return 7

    async def fail() -> int:
        raise OSError("no way there")

    assert await until_cancelled(answer()) == 7
    with pytest.raises(OSError, match="no way there"):
        await until_cancelled(fail())
