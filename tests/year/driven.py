"""The bot and the local Discord on one clock, which a program drives."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.pencilbox import Pencilbox
from bot.sandbox import ManualClock, Sandbox
from bot.startup.system import SystemChance
from tests.app.conftest import SearchHere
from tests.db.compiled import at_once
from tests.e2e.bot_in_process import bot_here

OFTEN = ("challenges", "daily puzzles", "computers", "forgotten games", "resumptions", "digests")
DAILY = ("administration", "weekly posts", "podiums", "leaderboards", "activity", "retention", "ratings")
"""The background tasks whose rounds return without waiting, by how often they run in simulated time."""
SETTLE_S, MOST_SETTLES = 3.0, 20
"""Simulated seconds between two tries to publish what Discord's limits postponed, and the most tries."""


class DrivenClock(ManualClock):
    """One clock for the local Discord and for the bot, which stands still until it is advanced."""

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)

    def monotonic(self) -> timedelta:
        return timedelta(seconds=self.time())


class SeededChance(SystemChance):
    """Randomness that is the same in every run with the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # type: ignore[assignment]  # a generator that is not the system's


class DrivenBot(Pencilbox):
    """The bot whose background tasks run only when they are called, because they otherwise wait for real seconds."""

    def begin(self) -> None:
        self._works = {task.name: task._work for task in self.background}

    async def rounds(self, hour: int) -> None:
        """Decide and remind by the clocks, and run a round of each task that is due at this hour."""
        await self._clock_task._round(self.services.ownership.served)
        for name in (*OFTEN, *(DAILY if hour == 0 else ())):
            await self._works[name]()

    async def publish(self, clock: DrivenClock) -> None:
        """Publish pending posts and send queued direct messages, also those that Discord's limits postpone."""
        for _ in range(MOST_SETTLES):
            posts, messages = (
                await self.outbox_task.publish_pending(),
                await self._direct_message_task.send_due(),
            )
            if not posts and not messages:
                return
            await clock.advance(SETTLE_S)


@asynccontextmanager
async def driven(
    folder: Path, clock: DrivenClock, members: int, seed: int
) -> AsyncIterator[tuple[Sandbox, DrivenBot]]:
    """The local Discord with so many members in one server, and the bot that is logged in to it."""
    names = [f"Member {number}" for number in range(1, members + 1)]
    with at_once():
        async with (
            Sandbox(members=names, channels=("games", "news"), clock=clock, path=folder / "world") as local,
            bot_here(
                local.url,
                folder,
                kind=DrivenBot,
                clock=clock,
                chance=SeededChance(seed),
                searches=SearchHere(),
                lifetime=timedelta(days=1),
            ) as bot,
        ):
            assert isinstance(bot, DrivenBot)
            yield local, bot
