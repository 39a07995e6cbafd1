"""How a member has fared lately."""

from dataclasses import dataclass
from datetime import datetime

from db.values.matches import Outcome
from db.values.ratings import Rating
from rules.core.game import Seat


@dataclass(frozen=True, slots=True)
class Fared:
    """A rated game of a member: how it ended for them in which seat, and the score that they went into it with."""

    match: int
    game: str
    at: datetime
    seat: Seat
    outcome: Outcome
    before: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What a member holds in one place, and their newest rated games there, the last one first.

    `ratings` are those of all time: of all games together first, then by game. `place` is the one on the board that was
    asked for and `members` how many are on it; both 0 for who is not on it, or not listed.
    """

    ratings: tuple[Rating, ...]
    games: tuple[Fared, ...]
    place: int
    members: int


@dataclass(frozen=True, slots=True)
class Duel:
    """Rated games of two members at one table: how they ended for the first, the last one first."""

    match: int
    game: str
    at: datetime
    ranks: tuple[int, int]
    """The places of both in the result."""
