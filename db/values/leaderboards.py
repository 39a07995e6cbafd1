"""Leaderboards, page by page."""

from dataclasses import dataclass
from enum import StrEnum

from db.values.places import DiscordId
from db.values.ratings import Board, Rating


class Era(StrEnum):
    """Which time a leaderboard is about: all of it, the current month or the current ISO week, in UTC."""

    ALWAYS = "always"
    SEASON = "season"
    WEEK = "week"


class Turn(StrEnum):
    """Which page of a board is wanted: the first, the one with whom it is shown to, or one next to a row."""

    FIRST = "first"
    MINE = "mine"
    BACK = "back"
    FORWARD = "forward"


Mark = tuple[int, DiscordId]
"""A row of a board, by its score and member: higher comes first."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A member on a board, at a `place` from 1 that equals share.

    `before` is the place when this week began, None for who was not on the board then; it is kept only of boards that
    never end. A `computer` player is on the same scale as all others.
    """

    place: int
    rating: Rating
    before: int | None
    computer: bool = False

    @property
    def mark(self) -> Mark:
        return self.rating.held.skill.score, self.rating.user


@dataclass(frozen=True, slots=True)
class Standings:
    """A page of a board, the best first, and whether there are higher and lower rows.

    `around` are the row of whom it is shown to, if that is not on the page, and those of its neighbours that are not
    either. `members` are all who are on the board. `hidden` says that whom it is shown to would be, but does not want
    to be listed.
    """

    board: Board
    rows: tuple[Placed, ...]
    around: tuple[Placed, ...]
    higher: bool
    lower: bool
    members: int
    hidden: bool = False
