"""Standings: ratings, leaderboards, profiles and duels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.values.matches import StoredMatch
from db.values.places import DiscordId
from rules.core.game import Seat

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


class PeriodKind(StrEnum):
    """The time that a leaderboard covers: all of it, the current month or the current ISO week, in UTC."""

    ALWAYS = "always"
    SEASON = "season"
    WEEK = "week"


class PageTurn(StrEnum):
    """The page of a leaderboard that is asked for: the first, the viewer's own, or one beside a given row."""

    FIRST = "first"
    MINE = "mine"
    BACK = "back"
    FORWARD = "forward"


Mark = tuple[int, DiscordId]
"""A row of a leaderboard, by its score and member: higher comes first."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A member on a leaderboard. Ranks begin at 1; members with equal scores share one.

    `before` is the rank at the beginning of this week, None if the member was not on the leaderboard then. It is known
    only for leaderboards of all time. A `computer` player is on the same scale as all others.
    """

    rank: int
    rating: Rating
    before: int | None
    computer: bool = False

    @property
    def mark(self) -> Mark:
        return self.rating.held.skill.score, self.rating.user


@dataclass(frozen=True, slots=True)
class Standings:
    """A page of a leaderboard, the best first. `higher` and `lower` are True if there are more rows on that side.

    `around` holds the viewer's own row and its neighbours as far as they are not on the page. `members` counts all who
    are on the leaderboard. `hidden` is True if the viewer has a rating here but chose not to be listed. `recomputing`
    is True if scores may still change because a result was reverted.
    """

    leaderboard: Leaderboard
    rows: tuple[Ranked, ...]
    around: tuple[Ranked, ...]
    higher: bool
    lower: bool
    members: int
    hidden: bool = False
    recomputing: bool = False


@dataclass(frozen=True, slots=True)
class ExpiredLeaderboards:
    """All leaderboards of a server, or all global ones, of a week or month that is no longer shown."""

    guild: DiscordId
    period: str


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
