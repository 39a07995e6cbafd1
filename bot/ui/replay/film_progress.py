"""The progress of a film, for the member who waits for it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.ui.kit.answers.waiting import Waiting

FIRST, AGAIN = 1.5, 2.0
"""Seconds until the first note, and from each note to the next. Most films are made before the first."""


@asynccontextmanager
async def telling(waiting: Waiting) -> AsyncIterator[Callable[[int, int], None]]:
    """Show how far a film is until it is made.

    Yields a function that takes how many positions are drawn, and how many there are.
    """
    count = 0, 0
    made = asyncio.Event()

    def drawn(done: int, of: int) -> None:
        nonlocal count
        count = done, of

    async def tell() -> None:
        pause = FIRST
        while not await _set_within(made, pause):
            await waiting.show(words(*count))
            pause = AGAIN

    teller = asyncio.create_task(tell())
    try:
        yield drawn
    finally:
        # The last note has to arrive before the answer.
        made.set()
        await teller
        await waiting.end()


def words(done: int, of: int) -> str:
    """Return how far a film is, as members read it."""
    return f"Making the film: {done} of {of} positions." if of else "Making the film."


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    """Wait until an event is set, `seconds` at most. Returns True if it is."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
