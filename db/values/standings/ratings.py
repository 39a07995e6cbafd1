"""Ratings: the skill of a member on a leaderboard, and how a match changed it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from db.values.matches.matches import StoredMatch
from db.values.places import DiscordId

ALWAYS = ""
"""The period of leaderboards of all time."""
TOGETHER = ""
"""The game of leaderboards of all games together."""
EVERYWHERE = 0
"""The server of global leaderboards."""

CHUNK = 200
"""The number of rated matches that a transaction reads at most when ratings are recomputed."""

CERTAIN = 4.0
"""The highest deviation of a rating that is not provisional."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A leaderboard by its period (`2026-11` a month, `2026-W47` an ISO week), game and server."""

    period: str = ALWAYS
    game: str = TOGETHER
    guild: DiscordId = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill as openskill estimates it: mean and standard deviation in openskill's units."""

    mu: float
    sigma: float

    @property
    def score(self) -> int:
        """The number that is shown and sorted by; a newcomer has 1000."""
        return round(40 * ((self.mu - 3 * self.sigma) + 25))

    @property
    def provisional(self) -> bool:
        return self.sigma > CERTAIN


NEWCOMER = Skill(25.0, 25.0 / 3.0)


@dataclass(frozen=True, slots=True)
class HeldSkill:
    """The skill of a member on one leaderboard.

    On leaderboards of all time, `week` is when it last changed (the ISO year times 100 plus the ISO week) and `was` the
    score at the beginning of that week, None if the member was not on the leaderboard then. Elsewhere they are 0 and
    None.
    """

    skill: Skill = NEWCOMER
    week: int = 0
    was: int | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a member on a leaderboard. If it is not `listed`, it changes but nobody sees it."""

    user: DiscordId
    leaderboard: Leaderboard
    held: HeldSkill
    won: int
    drawn: int
    lost: int
    listed: bool = True

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """The player of a seat (see `former`), their rank from 1, and their skill on each leaderboard before the match."""

    user: DiscordId
    rank: int
    before: tuple[HeldSkill, ...]


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that has changed ratings; of a two-game match, the second game.

    `id` numbers such matches; `weight` is the share of openskill's change.

    `leaderboards` are in the order of `RatedSeat.before`. They are empty if the match counted only in its server, and
    the data of that server was deleted.
    """

    id: int
    match: int
    at: datetime
    weight: float
    leaderboards: tuple[Leaderboard, ...]
    seats: tuple[RatedSeat, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a player's skill on one leaderboard by a match; `weight` is the share of openskill's change."""

    user: DiscordId
    before: Skill
    after: Skill
    weight: float = 1.0


Judge = Callable[[StoredMatch], Sequence[int] | None]
"""Returns the ranks in a finished match by seat, from 1, equal for shared ranks; None if it changes no ratings.

A two-game match is judged by its second game, with the ranks in both together.
"""
