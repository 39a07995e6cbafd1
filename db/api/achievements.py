"""Achievements: which member earned which, and by which match."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from db.api.places import DiscordId, Place
from rules.core.game import Seat


@dataclass(frozen=True, slots=True)
class Award:
    """An achievement, by its key, that a seat earns by a match."""

    seat: Seat
    key: str


@dataclass(frozen=True, slots=True)
class Earned:
    """The match by which a member first earned an achievement, and where it was played."""

    user: DiscordId
    key: str
    match: int
    at: datetime
    game: str
    place: Place


class AchievementStore(Protocol):
    """The achievements of members, with the matches that prove them."""

    async def first_awards(self, user: DiscordId, keys: Collection[str]) -> list[Earned]:
        """Return, for each of these achievements that a member has, the match by which they first earned it."""

    async def new_awards(self, match: int) -> list[Earned]:
        """Return the achievements that members earned for the first time by a match."""

    async def award_again(self, match: int, awards: Sequence[Award]) -> None:
        """Replace the achievements that a finished match proves. A match whose result was taken back proves none."""
