"""Tasks that end when they are told to."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN = 0.1
"""Seconds after which a task that goes on is cancelled again."""


async def until_cancelled(work: Coroutine[Any, Any, T]) -> T:
    """Await work that may swallow a cancellation: if this is cancelled, the work is cancelled until it has ended.

    `asyncio.wait_for`, which discord.py and asyncpg use, swallows a cancellation that comes just when what it waits
    for is there (Python 3.11). Only for work that has nothing to do when it ends.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait((task,))
    finally:
        while not task.done():
            task.cancel()
            await asyncio.wait((task,), timeout=AGAIN)
        if not task.cancelled():
            task.exception()  # asked for here: after a cancellation nobody else does
    return await task
