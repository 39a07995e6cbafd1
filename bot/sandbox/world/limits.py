"""The global limit of the REST API: so many requests of a bot in a second."""

from bot.sandbox.json_types import Object
from bot.sandbox.world.clock import Clock


class GlobalLimit:
    """Counts the requests of the application in each second. `most` are allowed; None allows any number.

    Answers to interactions and what follows by their tokens do not count, as on Discord.
    """

    def __init__(self, clock: Clock, most: int | None) -> None:
        self._clock = clock
        self._most = most
        self._second = 0.0
        self._count = 0
        self.counted = self.refused = 0
        """The number of requests so far, and of those that were refused."""

    def wait(self) -> float | None:
        """Count a request. Return the seconds for which it must wait if it is one too many, otherwise None."""
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


def refusal(wait: float, *, everywhere: bool) -> Object:
    """Return the body of Discord's answer with status 429. `everywhere` is True for the global limit."""
    return {"message": "You are being rate limited.", "retry_after": wait, "global": everywhere, "code": 0}
