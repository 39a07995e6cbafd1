"""Waiting for a state of a local Discord, which is read again after every change."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.sandbox.world.events import Event, InteractionOpened, Typing
from bot.sandbox.world.world import World
from tests.waiting import INTERVAL, PATIENCE

T = TypeVar("T")


class Changes:
    """The changes of a world. Without a world, every INTERVAL counts as a change."""

    def __init__(self, world: World | None = None) -> None:
        self._observed = world is not None
        self._next = asyncio.Event()
        if world is not None:
            world.listen(self._on_event)

    async def until(self, read: Callable[[], Awaitable[T | None]]) -> T:
        """Return the first result of `read` that is not None. Raises TimeoutError after PATIENCE seconds."""
        async with asyncio.timeout(PATIENCE):
            while True:
                # This event is taken before the read, so that no later change is missed.
                change = self._next
                if (found := await read()) is not None:
                    return found
                await (change.wait() if self._observed else asyncio.sleep(INTERVAL))

    def _on_event(self, event: Event) -> None:
        # These events change no message and no channel.
        if not isinstance(event, Typing | InteractionOpened):
            self._next.set()
            self._next = asyncio.Event()
