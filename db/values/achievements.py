"""Achievements: which member earned which, and by which match."""

from dataclasses import dataclass
from datetime import datetime

from db.values.places import DiscordId, Place
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
