"""A shard whose client fails is connected again, and ends no other shard of its process."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
import structlog
from discord import LoginFailure

from bot.shards import serve
from bot.shards.serve import run_shard
from bot.startup.config import ConfigError

PATIENCE = 20.0
"""Seconds after which a shard that is not connected again fails the test."""


class Client:
    """A client of a shard, whose first connection ends with an error."""

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


async def test_unknown_error_of_a_connected_shard_ends_no_other() -> None:
    with structlog.testing.capture_logs() as lines:
        running = asyncio.create_task(run())
        async with asyncio.timeout(PATIENCE):
            await Client.again.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    (line,) = (it for it in lines if it["event"] == "shard.failed")
    assert (line["shard"], line["error"]) == (3, "KeyError")


async def test_unknown_error_before_the_first_connection_ends_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Client, "reached", False)
    with pytest.raises(KeyError):
        await run()


async def test_error_that_the_operator_must_mend_ends_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Client, "error", LoginFailure())
    with pytest.raises(ConfigError):
        await run()
