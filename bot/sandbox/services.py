"""The services and limits that the REST API and the calls of the page share."""

from collections import defaultdict, deque
from dataclasses import dataclass

from bot.sandbox.activities import Activities
from bot.sandbox.faults import Faults
from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.interactions.interactions import Interactions
from bot.sandbox.messages import Messages
from bot.sandbox.world.clock import Clock
from bot.sandbox.world.world import World

OLD_EDITS = 3
"""Number of edits of messages older than one hour in six seconds, by channel."""
NEW_DIRECT_MESSAGES = 25
"""Number of new channels of direct messages in a minute. Discord does not document a number."""


class GlobalLimit:
    """The limit of all requests in a second. `most` requests are allowed; None allows any number.

    As on Discord, responses to interactions and requests by their tokens do not count.
    """

    def __init__(self, clock: Clock, most: int | None) -> None:
        self._clock = clock
        self._most = most
        self._second = 0.0
        self._count = 0
        self.counted = self.refused = 0
        """The number of requests so far, and of those that were refused."""

    def wait(self) -> float | None:
        """Count a request. Return the seconds to wait if the request exceeds the limit, otherwise None."""
        self.counted += 1
        if self._most is None:
            return None
        now = self._clock.time()
        if now - self._second >= 1:
            self._second, self._count = now, 0
        self._count += 1
        if self._count <= self._most:
            return None
        self.refused += 1
        return round(self._second + 1 - now, 3)


class Limit:
    """A limit of `most` requests in `seconds`, separately for each key."""

    def __init__(self, clock: Clock, most: int, seconds: float) -> None:
        self._clock = clock
        self.most, self.seconds = most, seconds
        self.refused = 0
        """The number of requests that were refused."""
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)

    def wait(self, key: str = "") -> float | None:
        """Count a request. Return the seconds to wait if the request exceeds the limit, otherwise None."""
        now, times = self._clock.time(), self._times[key]
        while times and times[0] <= now - self.seconds:
            times.popleft()
        if len(times) >= self.most:
            self.refused += 1
            return round(times[0] + self.seconds - now, 3)
        times.append(now)
        return None


@dataclass(frozen=True, slots=True)
class Services:
    world: World
    messages: Messages
    interactions: Interactions
    activities: Activities
    gateway: Gateway
    faults: Faults
    limit: GlobalLimit
    old_edits: Limit
    new_direct_messages: Limit
    privileged: bool
    """True if the application has the message content intent, which also limits what REST returns."""
