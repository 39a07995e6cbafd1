"""Work whose result is the first answer to an interaction, for which Discord waits three seconds."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from db.api.failures import StoreFailed

T = TypeVar("T")

LONGEST = 2.0
"""Seconds that the work may take; the answer itself takes a moment, too."""


async def in_time(doing: Coroutine[Any, Any, T]) -> T:
    """Return the result of what reads the store. Raises StoreFailed if that takes too long."""
    # It is not cancelled: where the database hangs, that would take as long as the work itself.
    task = asyncio.create_task(doing)
    done, _ = await asyncio.wait({task}, timeout=LONGEST)
    if not done:
        task.add_done_callback(_take_error)
        raise StoreFailed("no answer in time")
    return task.result()


def _take_error(task: "asyncio.Task[Any]") -> None:
    """Take the error of a task that nobody waits for any more: the member was told."""
    if not task.cancelled():
        task.exception()
