"""Which answers are under way, so that a bot that is to stop finishes them first."""

import asyncio
from typing import Any


class Underway:
    """The tasks that answer somebody just now."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self) -> None:
        """The running task answers somebody, until it ends."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self, seconds: float) -> None:
        """Wait until all of them have ended, but not longer than so many seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
