"""Waiting for what another task or process does, where no event tells of it."""

import asyncio
from collections.abc import Callable
from inspect import isawaitable

PATIENCE = 60.0
"""Seconds after which a wait fails the test. Nothing is measured against it."""
INTERVAL = 0.02
"""Seconds between two looks."""


async def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition, which may be an async function, is true. Raises TimeoutError after PATIENCE seconds."""
    async with asyncio.timeout(PATIENCE):
        while not await _value(condition):
            await asyncio.sleep(INTERVAL)


async def wait_while(condition: Callable[[], object]) -> None:
    """Wait until a condition, which may be an async function, is false. Raises TimeoutError after PATIENCE seconds."""
    async with asyncio.timeout(PATIENCE):
        while await _value(condition):
            await asyncio.sleep(INTERVAL)


async def _value(condition: Callable[[], object]) -> object:
    found = condition()
    return await found if isawaitable(found) else found
