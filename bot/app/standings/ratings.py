"""The changes of ratings by matches."""

from enum import Enum, auto

from bot.app.matches.results import counts
from bot.app.matches.table import Table
from db.api.ratings import Change, RatingStore


class Unrated(Enum):
    """The reasons why a result changes no ratings."""

    CASUAL = auto()
    SHORT = auto()


class Ratings:
    """The ratings of members. They change with the result, in one transaction (see `bot.app.matches.move_log`)."""

    def __init__(self, store: RatingStore) -> None:
        self._store = store

    async def changes(self, table: Table) -> tuple[Change, ...]:
        """The changes of its players' ratings by a match, in its game and server, by seat; empty if there are none."""
        return (await self._store.rating_changes(table.id) or ()) if table.match.revealed else ()


def unrated(table: Table) -> Unrated | None:
    """Why the result of a match changes no ratings; None if it does, or if there is no result."""
    if not table.match.revealed or not table.match.winners or table.voided:
        return None
    if not table.stored.rated:
        return Unrated.CASUAL
    return None if counts(table.match) else Unrated.SHORT
