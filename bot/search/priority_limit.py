"""A limit on what is done at the same time. Of those who wait, the most urgent comes first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class PriorityLimit:
    """Lets `most` pass at the same time."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = count()

    @property
    def waiting(self) -> int:
        """The number of those who wait."""
        return sum(not called.done() for _, _, called in self._waiting)

    @asynccontextmanager
    async def turn(self, urgency: int) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context. Of equal urgency, who came first comes first."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(urgency)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, urgency: int) -> None:
        called = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (-urgency, next(self._numbers), called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave()  # The turn came just when the wait was cancelled.
            raise

    def _leave(self) -> None:
        """Call the next, or leave the turn free."""
        while self._waiting:
            _, _, called = heappop(self._waiting)
            if not called.done():
                called.set_result(None)
                return
        self._free += 1
