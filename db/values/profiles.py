"""How a member has fared, in all their rated games."""

from dataclasses import dataclass
from datetime import datetime

from db.values.places import DiscordId
from db.values.ratings import Rating
from rules.core.game import Seat

Counts = tuple[int, int, int]
"""Games won, drawn and lost; against somebody, those in which one stood better, equal and worse."""


@dataclass(frozen=True, slots=True)
class Runs:
    """How many games in a row were won, and were not lost: up to now, and the most there ever were."""

    won: int = 0
    most_won: int = 0
    unbeaten: int = 0
    most_unbeaten: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """What a member holds in one place, and how their rated games went there, on the board that was asked for.

    `ratings` are those of all time: of all games together first, then by game. `place` is the one on that board and
    `members` how many are on it; both 0 for who is not on it, or not listed. `scores` are those after the first game,
    the last one and some evenly between, with the time of its end, the oldest first. `seats` are of one game alone.
    """

    ratings: tuple[Rating, ...]
    place: int = 0
    members: int = 0
    computer: bool = False
    runs: Runs = Runs()
    seats: tuple[tuple[Seat, Counts], ...] = ()
    scores: tuple[tuple[datetime, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Duels:
    """All rated games that two members played at one table: by key of the game how often the first stood better, equal
    and worse; and when the last one ended, None if there was none. `computers` are those of both who are one."""

    games: tuple[tuple[str, Counts], ...] = ()
    last: datetime | None = None
    computers: frozenset[DiscordId] = frozenset()
