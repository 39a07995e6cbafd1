"""Locks by key: one task at a time for each key, and nothing is kept for keys that nobody uses."""

import asyncio

from bot.app.tasks.background import Locks


async def test_one_task_at_a_time_for_each_key() -> None:
    locks: Locks[int] = Locks()
    inside = most = 0

    async def work(rounds: int) -> None:
        nonlocal inside, most
        for _ in range(rounds):
            async with locks.of(1):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1

    await asyncio.gather(*(work(rounds) for rounds in range(1, 6)))
    assert most == 1
    async with locks.of(1):
        assert not locks.of(2).locked()


async def test_a_lock_lives_as_long_as_it_is_held_or_waited_for() -> None:
    locks: Locks[int] = Locks()
    async with locks.of(1):
        waiting = asyncio.create_task(locks.of(1).acquire())
        await asyncio.sleep(0)
    assert locks.of(1) is locks.of(1)
    assert len(locks) == 1
    await waiting
    del waiting
    assert len(locks) == 0


async def test_held_locks_are_waited_for() -> None:
    locks: Locks[int] = Locks()
    released = asyncio.Event()

    async def hold() -> None:
        async with locks.of(1):
            await released.wait()

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    waiting = asyncio.create_task(locks.released())
    await asyncio.sleep(0)
    assert not waiting.done()
    released.set()
    await asyncio.gather(holding, waiting)
