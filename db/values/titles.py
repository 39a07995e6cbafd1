"""Titles that members earn in a server, and the roles that mirror them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from db.values.places import DiscordId

WORN = timedelta(days=31)
"""The time for which the role of a title is held."""


class TitleKind(StrEnum):
    """The kinds of titles."""

    CHAMPION = "champion"
    """The winner of the first division of a league's month."""
    CUP = "cup"
    """The winner of a cup."""
    DIVISION = "division"
    """The winner of another division."""
    PUZZLES = "puzzles"
    """Somebody who has solved the puzzle of the day on thirty days in a row; the key is the first of these days."""
    FINISHER = "finisher"
    """Somebody who has finished the most games of a month, and lost none on time; the key is the month."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title. Of an event the `key` is its id, and `game` and `season` are those of the event."""

    user: DiscordId
    kind: TitleKind
    key: str
    at: datetime
    event: int | None = None
    game: str | None = None
    season: str | None = None


@dataclass(frozen=True, slots=True)
class RoleChange:
    """A role that is to be given for a title, or taken away.

    `held` is the role that Discord has confirmed, and `give` is None if it is taken away.
    """

    guild: DiscordId
    user: DiscordId
    kind: TitleKind
    key: str
    held: DiscordId | None
    give: DiscordId | None
