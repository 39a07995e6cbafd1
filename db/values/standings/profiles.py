"""Profiles: the results of a member in all their rated games."""

from dataclasses import dataclass
from datetime import datetime

from db.values.places import DiscordId
from db.values.standings.ratings import Rating
from rules.core.game import Seat

Counts = tuple[int, int, int]
"""Games won, drawn and lost; between two members, games in which the first had the better, an equal, a worse rank."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The number of games in a row that were won, and that were not lost: the present run and the longest ever."""

    won: int = 0
    most_won: int = 0
    unbeaten: int = 0
    most_unbeaten: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """The ratings of a member in one server or everywhere, and their rated games on one leaderboard there.

    - `ratings`: those of all time, all games together first, then by game.
    - `rank`, `members`: the rank on the leaderboard and how many are on it; both 0 if the member is not listed there.
    - `scores`: the score after the first game, after the last one and after some evenly between, the oldest first,
      each with the time at which the game ended.
    - `seats`: counts by seat, for one game only, without two-game matches, in which a member has both seats.
    - `recomputing`: True if scores may still change because a result was reverted.
    """

    ratings: tuple[Rating, ...]
    rank: int = 0
    members: int = 0
    computer: bool = False
    runs: Runs = Runs()
    seats: tuple[tuple[Seat, Counts], ...] = ()
    scores: tuple[tuple[datetime, int], ...] = ()
    recomputing: bool = False


@dataclass(frozen=True, slots=True)
class Duels:
    """The rated games that two members played together, by key of the game.

    `last` is when the last one ended, or None; `computers` are those of the two who are computer players.
    """

    games: tuple[tuple[str, Counts], ...] = ()
    last: datetime | None = None
    computers: frozenset[DiscordId] = frozenset()
