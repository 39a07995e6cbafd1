"""Leaderboards, page by page, and the removal of those that have expired."""

from dataclasses import dataclass
from enum import StrEnum

from db.values.places import DiscordId
from db.values.standings.ratings import Leaderboard, Rating


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
