"""Campaigns: members play and use the bot in a deployment while something disturbs it, and then all is checked."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tests.many_processes.deployment import CHANNELS, Deployment
from tests.many_processes.ledger import Ledger
from tests.many_processes.playing_members import PlayingMembers
from tests.soak.activities import Activities
from tests.soak.checks import database_is_right, games_are_right, rows_are_hidden
from tests.soak.games import Games, Seats
from tests.soak.hidden_rows import HiddenRows

LOGGED = 40_000
"""Characters at the end of each log that are shown if something is wrong."""


def seats_at(deployment: Deployment, tables: int) -> Iterator[Seats]:
    """Yield two members for each of so many channels of each server: the same two in every channel of a server."""
    for number in range(len(CHANNELS), len(CHANNELS) + tables):
        for server, members in enumerate(deployment.members):
            channel = deployment.channel(server, f"channel-{number}")
            yield Seats(server, [member.elsewhere(channel) for member in members[:2]])


class Campaign:
    """The members of a deployment with their games, and everything that they did and were told."""

    def __init__(self, deployment: Deployment, seats: Sequence[Seats], *, quick_clocks: bool = False) -> None:
        self.deployment, self.ledger = deployment, Ledger()
        self.people = PlayingMembers(deployment, self.ledger)
        self.rows = HiddenRows(deployment.local)
        self.games = Games(self.people, self.rows, seats)
        self.activities = Activities(self.people, self.rows, quick_clocks=quick_clocks)

    @asynccontextmanager
    async def playing(
        self, pace: float, beside: Iterable[Coroutine[Any, Any, None]] = ()
    ) -> AsyncIterator[None]:
        """Let members make so many moves in a second, and do what is `beside`, as long as the context lasts.

        What is beside the games comes to its end before the context does.
        """
        playing = asyncio.create_task(self.games.play(pace))
        doing = [asyncio.create_task(it) for it in beside]
        try:
            yield
            self.activities.over.set()
            await asyncio.gather(*doing)
        finally:
            for task in (playing, *doing):
                task.cancel()
            ends = await asyncio.gather(playing, *doing, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def wrong(self) -> list[str]:
        """Check everything, and stop all processes. Return a sentence for everything that is wrong."""
        wrong = [*self.games.wrong, *[one async for one in games_are_right(self.deployment, self.ledger)]]
        for log in self.deployment.all_logs if wrong else ():
            print(f"--- {log.parent.name}\n{log.read_text(errors='replace')[-LOGGED:]}")
        await self.deployment.stop_all()
        wrong += [one async for one in database_is_right(self.deployment)]
        return [*wrong, *rows_are_hidden(self.rows)]
