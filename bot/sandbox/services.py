"""The services and limits that the REST API and the calls of the page share."""

from collections import defaultdict, deque
from dataclasses import dataclass

from bot.sandbox.faults import Faults
from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.interactions.interactions import Interactions
from bot.sandbox.json_types import Object
from bot.sandbox.messages import Messages
from bot.sandbox.world.clock import Clock
from bot.sandbox.world.world import World


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


def old_edits(clock: Clock) -> Limit:
    """Return the limit of edits of messages that are older than one hour, by channel."""
    return Limit(clock, 3, 6.0)


def new_direct_messages(clock: Clock) -> Limit:
    """Return the limit of new channels of direct messages. Discord names no number; 25 in a burst are too many."""
    return Limit(clock, 25, 60.0)


def refusal(wait: float, *, everywhere: bool) -> Object:
    """Return the body of Discord's answer with status 429. `everywhere` is True for the global limit."""
    return {"message": "You are being rate limited.", "retry_after": wait, "global": everywhere, "code": 0}


@dataclass(frozen=True, slots=True)
class Services:
    world: World
    messages: Messages
    interactions: Interactions
    gateway: Gateway
    faults: Faults
    limit: GlobalLimit
    old_edits: Limit
    new_direct_messages: Limit
    privileged: bool
    """Whether the application has the message content intent, which also limits what REST returns."""
