"""The real clock and real chance."""

import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from db.values.places import DiscordId


class SystemClock:
    """The machine's clocks."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> timedelta:
        return timedelta(seconds=time.monotonic())


class SystemChance:
    """The operating system's randomness."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def shuffled(self, users: Sequence[DiscordId]) -> tuple[DiscordId, ...]:
        return tuple(self._random.sample(users, len(users)))

    def pick(self, weights: Sequence[int]) -> int:
        return self._random.choices(range(len(weights)), weights)[0]

    def salt(self) -> str:
        return f"{self._random.getrandbits(128):032x}"
