"""Logins of shards: their turns, their number a day, and the errors that end the bot."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest
from yarl import URL

from bot.shards import logins
from bot.shards.logins import RETRY, Gateway, Logins, pause_after, sentence_for


class Shared:
    """The shared turns. Those in `elsewhere` belong to another process."""

    def __init__(self, *elsewhere: int) -> None:
        self.elsewhere = set(elsewhere)
        self.taken: list[int] = []
        self.asked = asyncio.Event()

    async def take_turn(self, remainder: int) -> bool:
        self.asked.set()
        if remainder in self.elsewhere:
            return False
        self.taken.append(remainder)
        return True

    async def end_turn(self, remainder: int) -> None:
        self.taken.append(-remainder - 1)


def gateway(at_once: int = 2, remaining: int = 1000) -> Gateway:
    return Gateway(4, at_once, remaining, 0.0)


async def ask() -> Gateway:
    return gateway()


async def log_in(turns: Logins, shard: int) -> None:
    """Wait for the turn of a shard, and log in."""
    await turns.turn(shard)
    turns.used(shard)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "SPAN", 0.01)
    monkeypatch.setattr(logins, "AGAIN", 0.01)


async def test_shards_of_one_remainder_wait_for_each_other() -> None:
    shared = Shared()
    turns = Logins(gateway(), ask, shared)
    await asyncio.gather(*(log_in(turns, shard) for shard in range(4)))
    for remainder in (0, 1):
        theirs = [it for it in shared.taken if it in (remainder, -remainder - 1)]
        assert theirs[:3] == [remainder, -remainder - 1, remainder]
    assert set(shared.taken[:2]) == {0, 1}


async def test_turn_ends_some_time_after_the_login() -> None:
    shared = Shared()
    turns = Logins(gateway(), ask, shared)
    await turns.turn(0)
    following = asyncio.create_task(log_in(turns, 2))
    await asyncio.sleep(10 * logins.SPAN)
    assert shared.taken == [0]
    turns.used(2)
    turns.used(1)
    assert not following.done()
    turns.used(0)
    turns.used(0)
    await following
    assert shared.taken[:3] == [0, -1, 0]


async def test_turn_of_another_process_is_awaited() -> None:
    shared = Shared(1)
    waiting = asyncio.create_task(Logins(gateway(), ask, shared).turn(3))
    await shared.asked.wait()
    assert not waiting.done()
    assert shared.taken == []
    shared.elsewhere.clear()
    await waiting
    assert shared.taken[0] == 1


async def test_cancelled_shard_leaves_its_turn() -> None:
    shared = Shared(0)
    turns = Logins(gateway(), ask, shared)
    waiting = asyncio.create_task(turns.turn(0))
    await shared.asked.wait()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    shared.elsewhere.clear()
    await turns.turn(2)


async def test_logins_are_read_again_when_used_up() -> None:
    answers = [gateway(remaining=0), gateway(remaining=5)]

    async def ask_again() -> Gateway:
        return answers.pop(0) if answers else gateway()

    turns = Logins(gateway(remaining=1), ask_again, Shared())
    await log_in(turns, 0)
    assert len(answers) == 2
    await log_in(turns, 1)
    assert answers == []
    await log_in(turns, 2)


async def test_failed_end_of_a_turn_blocks_no_shard() -> None:
    class Failing(Shared):
        async def end_turn(self, remainder: int) -> None:
            raise ConnectionResetError

    turns = Logins(gateway(at_once=1), ask, Failing())
    async with asyncio.timeout(20):
        for shard in range(3):
            await log_in(turns, shard)


async def test_logins_of_other_processes_count() -> None:
    """Two processes share the logins of a day; each asks Discord how many are left before it logs in."""
    left = 3
    logged_in: list[int] = []

    used_up = asyncio.Event()

    async def ask_discord() -> Gateway:
        if not left:
            used_up.set()
        return gateway(at_once=1, remaining=left)

    processes = [Logins(gateway(at_once=1, remaining=left), ask_discord, Shared()) for _ in range(2)]

    async def begin(process: int) -> None:
        nonlocal left
        await log_in(processes[process], 0)
        left -= 1
        logged_in.append(process)

    for process in (0, 1, 0):
        await asyncio.sleep(2 * logins.SPAN)  # The last answer of Discord is out of date by then.
        await begin(process)
    await asyncio.sleep(2 * logins.SPAN)
    waiting = asyncio.create_task(begin(1))
    async with asyncio.timeout(10):
        await asyncio.wait(
            {waiting, asyncio.create_task(used_up.wait())}, return_when=asyncio.FIRST_COMPLETED
        )
        assert (logged_in, left) == ([0, 1, 0], 0)
        left = 1
        await waiting
    assert (logged_in, left) == ([0, 1, 0, 1], 0)


class Closed:
    """A WebSocket that Discord has closed, with the attribute that discord.py reads."""

    def __init__(self, code: int) -> None:
        self.close_code = code


def test_final_close_codes_have_a_sentence() -> None:
    for code, expected in (
        (4004, "the token was not accepted: copy DISCORD_TOKEN again"),
        (4010, "the shards are wrong: leave SHARD_COUNT and SHARD_IDS out"),
        (4014, "the intents are not allowed: look at Privileged Gateway Intents"),
        (4999, "look the code up"),
    ):
        error = discord.ConnectionClosed(Closed(code), shard_id=0)  # type: ignore[arg-type]  # only its code is read
        sentence = sentence_for(error)
        assert sentence is not None
        assert f"(code {code})" in sentence
        assert expected in sentence
        assert sentence.endswith(".")
        assert pause_after(error) is None
    assert sentence_for(discord.PrivilegedIntentsRequired(0)) == sentence_for(
        discord.ConnectionClosed(Closed(4014), shard_id=0)  # type: ignore[arg-type]  # as above
    )


def test_refused_commands_quote_discord() -> None:
    url = URL("https://discord.com/api/v10/applications/1/commands")
    words = "You cannot remove this app's Entry Point command in a bulk update operation."
    response = SimpleNamespace(status=400, reason="Bad Request", url=url)
    error = discord.HTTPException(cast(Any, response), {"code": 50240, "message": words})
    sentence = sentence_for(error)
    assert sentence is not None
    assert f"(400, code 50240: {words.removesuffix('.')})" in sentence
    assert "TOKEN" not in sentence


def test_temporary_errors_have_a_pause_and_no_sentence() -> None:
    errors = (aiohttp.ClientConnectionError(), ConnectionResetError(), discord.GatewayNotFound())  # type: ignore[no-untyped-call]
    for error in errors:
        assert pause_after(error) == RETRY
        assert sentence_for(error) is None
    assert pause_after(ValueError()) is None
    assert sentence_for(ValueError()) is None
