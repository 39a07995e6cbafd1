"""What matches have made of their players' ratings."""

from enum import Enum, auto

from bot.app.matches.results import counts
from bot.app.matches.table import Table
from db.api.ratings import Change, RatingStore


class Unrated(Enum):
    """Why a result changes no ratings."""

    CASUAL = auto()
    SHORT = auto()


class Ratings:
    """The ratings of members. What changes them is stored with the result (see `bot.app.matches.move_log`)."""

    def __init__(self, store: RatingStore) -> None:
        self._store = store

    async def changes(self, table: Table) -> tuple[Change, ...]:
        """How a match has changed its players' ratings in its game and server, by seat; nothing if it has not."""
        return (await self._store.rating_changes(table.id) or ()) if table.match.revealed else ()


def unrated(table: Table) -> Unrated | None:
    """Why a match changes no ratings by its result; None where it does, or has none."""
    if not table.match.revealed or not table.match.winners or table.voided:
        return None
    if not table.stored.rated:
        return Unrated.CASUAL
    return None if counts(table.match) else Unrated.SHORT
