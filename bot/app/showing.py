"""Limits on what a member shows to a channel, reports to moderators and writes to the operator, kept in memory only.

After a restart members may do as much again.
"""

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
MOST_REPORTS = 3
"""Reports and feedback of one member within `WINDOW`."""
WINDOW = timedelta(minutes=10)
REMEMBERED = 1000
"""Presses that are remembered, so that none shows a thing twice; the oldest are forgotten first."""


class RecentTimes:
    """The times within WINDOW at which members did something."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._times: dict[DiscordId, list[timedelta]] = {}

    def of(self, user: DiscordId) -> list[timedelta]:
        """Return the times of a member, the oldest first."""
        now = self._clock.monotonic()
        return [at for at in self._times.get(user, ()) if at > now - WINDOW]

    def add(self, user: DiscordId) -> timedelta:
        """Add the present time for a member, and return it."""
        now, recent = self._clock.monotonic(), self.of(user)
        self._times = {it: times for it, times in self._times.items() if times[-1] > now - WINDOW}
        self._times[user] = [*recent, now]
        return now

    def remove(self, user: DiscordId, at: timedelta | None) -> None:
        """Remove a time of a member."""
        times = [it for it in self._times.pop(user, ()) if it != at]
        if times:
            self._times[user] = times


class Reports:
    """The limit on reports to moderators and feedback to the operator, which are stored nowhere."""

    def __init__(self, clock: Clock) -> None:
        self._recent = RecentTimes(clock)

    def check(self, user: DiscordId) -> None:
        """Check that a member may send a report or feedback now. Raises Refused."""
        if len(self._recent.of(user)) >= MOST_REPORTS:
            raise Refused(
                f"You have sent {MOST_REPORTS} reports or feedback messages within ten minutes; try again later."
            )

    def count(self, user: DiscordId) -> None:
        """Count a report or feedback that was sent."""
        self._recent.add(user)


class Showing:
    """The limits on what a member may show to everybody in a channel. Methods raise Refused."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._recent = RecentTimes(clock)
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
        if press in self._pressed:
            raise Refused("You have shown this to the channel already.")
        recent = self._recent.of(user)
        if len(recent) >= MOST:
            minutes = -((self._clock.monotonic() - recent[0] - WINDOW) // timedelta(minutes=1))
            wait = "a minute" if minutes == 1 else f"{minutes} minutes"
            raise Refused(f"You have shown {MOST} things within ten minutes, which is the most; wait {wait}.")
        self._pressed[press] = self._recent.add(user)
        while len(self._pressed) > REMEMBERED:
            self._pressed.popitem(last=False)

    def failed(self, user: DiscordId, press: str) -> None:
        """Take back what `begin` counted, since it could not be posted."""
        self._recent.remove(user, self._pressed.pop(press, None))
