"""Shards log in one after the other, as often as Discord allows."""

import asyncio

import pytest

from bot.shards import logins
from bot.shards.logins import Gateway, Logins


class Shared:
    """The turns that processes share. Those of `elsewhere` belong to another process."""

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


async def test_a_turn_lasts_until_some_time_after_the_login() -> None:
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


async def test_a_turn_that_another_process_has_is_waited_for() -> None:
    shared = Shared(1)
    waiting = asyncio.create_task(Logins(gateway(), ask, shared).turn(3))
    await shared.asked.wait()
    assert not waiting.done()
    assert shared.taken == []
    shared.elsewhere.clear()
    await waiting
    assert shared.taken[0] == 1


async def test_a_shard_that_is_given_up_while_it_waits_leaves_the_turn_to_the_next() -> None:
    shared = Shared(0)
    turns = Logins(gateway(), ask, shared)
    waiting = asyncio.create_task(turns.turn(0))
    await shared.asked.wait()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    shared.elsewhere.clear()
    await turns.turn(2)


async def test_discord_is_asked_again_when_its_logins_of_the_day_are_used_up() -> None:
    answers = [gateway(remaining=0), gateway(remaining=5)]

    async def ask_again() -> Gateway:
        return answers.pop(0) if answers else gateway()

    turns = Logins(gateway(remaining=1), ask_again, Shared())
    await log_in(turns, 0)
    assert len(answers) == 2
    await log_in(turns, 1)
    assert answers == []
    await log_in(turns, 2)


async def test_turn_that_cannot_be_given_back_blocks_no_other_shard() -> None:
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
