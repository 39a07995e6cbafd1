"""Time and randomness as the application asks for them. Tests provide their own."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from db.values.places import DiscordId


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the time of the wall clock, aware, in UTC. It jumps if somebody sets the clock."""

    def monotonic(self) -> timedelta:
        """Return a time that never jumps. It has no fixed beginning, and it may stop while the machine is suspended."""


class Chance(Protocol):
    def shuffled(self, users: Sequence[DiscordId]) -> tuple[DiscordId, ...]:
        """Return the same users in random order, to seat them."""

    def pick(self, weights: Sequence[int]) -> int:
        """Return a random index; its probability is proportional to its weight. Games use it for chance."""

    def salt(self) -> str:
        """Return 128 random bits as 32 hexadecimal digits, to seal a move with."""
