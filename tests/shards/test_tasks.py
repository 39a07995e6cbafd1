"""Work that swallows a cancellation ends all the same."""

import asyncio

import pytest

from bot.shards.serve import until_cancelled


class Stubborn:
    """Work that takes cancellations for something else, so many times."""

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
async def test_a_swallowed_cancellation_is_repeated(times: int) -> None:
    stubborn = Stubborn(times)
    task = asyncio.create_task(until_cancelled(stubborn.work()))
    await stubborn.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stubborn.left == -1


async def test_work_that_fails_when_it_is_cancelled_ends_too() -> None:
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


async def test_results_and_errors_come_through() -> None:
    async def answer() -> int:
        return 7

    async def fail() -> int:
        raise OSError("no way there")

    assert await until_cancelled(answer()) == 7
    with pytest.raises(OSError, match="no way there"):
        await until_cancelled(fail())
