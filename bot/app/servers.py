"""Servers that the host has left: what is kept of them is deleted after a time of grace, unless it comes back."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from bot.app.system import Clock
from db.api.places import DiscordId
from db.api.servers import ServerStore
from db.api.store import Store

PAUSE = timedelta(days=1)
"""Between two alerts about the same channel."""


class Alerts:
    """Alerts about channels, remembered so that neither a restart nor a second process repeats one."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def due(self, guild: DiscordId, channel: DiscordId) -> bool:
        """Whether an alert about this channel of a server may be given now; if so, it counts as given."""
        now = self._clock.now()
        return await self._store.alert(guild, channel, now, now - PAUSE)


class Departures:
    """Knows since when the host is not in a server. That a server cannot be reached is no departure."""

    def __init__(self, store: ServerStore, clock: Clock, grace: timedelta) -> None:
        self._store = store
        self._clock = clock
        self._grace = grace

    async def left(self, guild: DiscordId) -> None:
        """The host was removed from a server."""
        await self._store.depart(guild, self._clock.now())

    async def joined(self, guild: DiscordId) -> None:
        """The host was taken into a server, maybe once more."""
        await self._store.come_back(guild)

    async def look(self, present: Collection[DiscordId]) -> None:
        """The host is in these servers and no others: whatever has changed while it was away is noted now."""
        now = self._clock.now()
        gone = set(await self._store.departed(now))
        for guild in gone.intersection(present):
            await self._store.come_back(guild)
        for guild in set(await self._store.servers()) - gone - set(present):
            await self._store.depart(guild, now)

    async def sweep(self, present: Collection[DiscordId]) -> Sequence[DiscordId]:
        """Forget the servers whose time of grace is over, and answer those just forgotten. None that is `present`."""
        limit = self._clock.now() - self._grace
        over = [guild for guild in await self._store.departed(limit) if guild not in present]
        return [guild for guild in over if await self._store.forget_server(guild, limit)]
