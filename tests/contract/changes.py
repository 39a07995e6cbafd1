"""Waiting until something is to be seen in a local Discord: another look after every change, not every so often."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.sandbox.world.events import Event, InteractionOpened, Typing
from bot.sandbox.world.world import World

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds after which what does not happen fails the test."""
INTERVAL = 0.02
"""Seconds between two looks at a local Discord in another process, whose changes are not heard here."""


class Changes:
    """The changes of one world; without it, in another process, every INTERVAL counts as one."""

    def __init__(self, world: World | None = None) -> None:
        self._heard = world is not None
        self._next = asyncio.Event()
        if world is not None:
            world.listen(self._hear)

    async def until(self, look: Callable[[], Awaitable[T | None]]) -> T:
        """The first result of `look` that is not None. Raises TimeoutError after PATIENCE seconds."""
        async with asyncio.timeout(PATIENCE):
            while True:
                # Taken before the look, so that no change after it is missed.
                change = self._next
                if (found := await look()) is not None:
                    return found
                await (change.wait() if self._heard else asyncio.sleep(INTERVAL))

    def _hear(self, event: Event) -> None:
        # Neither shows in a message or a channel.
        if not isinstance(event, Typing | InteractionOpened):
            self._next.set()
            self._next = asyncio.Event()
