"""Ratings: what a member holds on a board, and how a match changed it."""

from dataclasses import dataclass
from datetime import datetime

from db.values.places import DiscordId

ALWAYS = ""
"""The period of boards that never end."""
TOGETHER = ""
"""The game of boards of all games."""
EVERYWHERE = 0
"""The server of boards of all servers."""

CERTAIN = 4.0
"""Up to this deviation a rating is no longer provisional."""


@dataclass(frozen=True, slots=True)
class Board:
    """What ratings are compared on: a period (`2026-11` a month, `2026-W47` an ISO week), a game and a server."""

    period: str = ALWAYS
    game: str = TOGETHER
    guild: DiscordId = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Bygone:
    """All boards of a server, or of everywhere, of a week or month that is over and is not shown any more."""

    guild: DiscordId
    period: str


@dataclass(frozen=True, slots=True)
class Skill:
    """What openskill believes of a member: the mean and the standard deviation, in its own units."""

    mu: float
    sigma: float

    @property
    def score(self) -> int:
        """What is shown and sorted by; a newcomer shows 1000."""
        return round(40 * ((self.mu - 3 * self.sigma) + 25))

    @property
    def provisional(self) -> bool:
        return self.sigma > CERTAIN


NEWCOMER = Skill(25.0, 25.0 / 3.0)


@dataclass(frozen=True, slots=True)
class Held:
    """What a member holds on one board.

    On a board that never ends also since when it was last changed: `week`, the ISO year times 100 plus the ISO week,
    and the score `was` that they went into this week with, None if they were not on the board. Elsewhere 0 and None.
    """

    skill: Skill = NEWCOMER
    week: int = 0
    was: int | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """What a member holds on a board. One who is not `listed` is rated all the same, but nobody sees or counts it."""

    user: DiscordId
    board: Board
    held: Held
    won: int
    drawn: int
    lost: int
    listed: bool = True

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """Who sat there (see `former`), their place in the result from 1, and what they held on each board before."""

    user: DiscordId
    rank: int
    before: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that has changed ratings: as number `id` of all that did, by this share of what openskill says.

    `boards` are in the order of what its seats held before; none are left of a match that counted in its server
    alone, once that is forgotten.
    """

    id: int
    match: int
    at: datetime
    weight: float
    boards: tuple[Board, ...]
    seats: tuple[RatedSeat, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """How a match changed the skill of one of its players on one board, by this share of what openskill says."""

    user: DiscordId
    before: Skill
    after: Skill
    weight: float = 1.0
