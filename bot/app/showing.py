"""Showing a private answer of the bot to the channel."""

from collections import OrderedDict
from collections.abc import Collection
from datetime import timedelta

from bot.app.errors import Refused
from bot.app.mentions import mentions
from bot.app.system import Clock
from db.store import Store
from db.values.places import DiscordId, Place

MOST = 5
"""Messages that one member may show within `WINDOW`."""
WINDOW = timedelta(minutes=10)
REMEMBERED = 1000
"""Presses that are remembered, so that none shows a thing twice; the oldest are forgotten first."""


class Showing:
    """The limits on what a member may show to everybody in a channel. Methods raise Refused.

    What was shown is remembered in memory only: after a restart members may show as much again.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._times: dict[DiscordId, list[timedelta]] = {}
        self._pressed: OrderedDict[str, timedelta] = OrderedDict()

    async def offered(self, place: Place) -> bool:
        """Return True if members may show things at a place. Direct messages belong to the people in them."""
        return place.guild is None or (await self._store.servers.settings(place.guild)).showing

    async def check(self, user: DiscordId, place: Place, about: Collection[DiscordId]) -> None:
        """Check that `user` may show at a place what is about these members.

        A member whom global leaderboards leave out is shown by nobody but themselves. Somebody whom a member has
        blocked is told the same, so that they do not learn of it.
        """
        if not await self.offered(place):
            raise Refused("In this server, answers cannot be shown to the channel.")
        others = [member for member in dict.fromkeys(about) if member != user]
        withheld = {it.user for it in await self._store.members.get_all(others) if not it.listed}
        withheld.update(await self._store.members.blockers(user, others))
        if withheld:
            names = mentions(member for member in others if member in withheld)
            raise Refused(f"{names} did not agree to be shown by others; only you see this.")

    def begin(self, user: DiscordId, press: str) -> None:
        """Count what `user` shows by this press, unless it was shown before or they have shown too much."""
        now = self._clock.monotonic()
        if press in self._pressed:
            raise Refused("You have shown this to the channel already.")
        recent = [at for at in self._times.get(user, ()) if at > now - WINDOW]
        if len(recent) >= MOST:
            minutes = -((now - recent[0] - WINDOW) // timedelta(minutes=1))
            wait = "a minute" if minutes == 1 else f"{minutes} minutes"
            raise Refused(f"You have shown {MOST} things within ten minutes, which is the most; wait {wait}.")
        self._times = {it: times for it, times in self._times.items() if times[-1] > now - WINDOW}
        self._times[user] = [*recent, now]
        self._pressed[press] = now
        while len(self._pressed) > REMEMBERED:
            self._pressed.popitem(last=False)

    def failed(self, user: DiscordId, press: str) -> None:
        """Take back what `begin` counted, since it could not be posted."""
        at = self._pressed.pop(press, None)
        times = [it for it in self._times.pop(user, ()) if it != at]
        if times:
            self._times[user] = times
