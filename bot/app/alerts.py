"""How often those who run a server are told that something there does not work."""

from datetime import timedelta

from bot.app.ports import Clock, Store
from db.values import DiscordId

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
