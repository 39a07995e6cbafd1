"""The real clock and real chance."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime

from db.api.places import DiscordId


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


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
