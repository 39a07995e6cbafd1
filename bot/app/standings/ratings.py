"""The changes of ratings by matches."""

from enum import Enum, auto

from bot.app.matches.results import counts
from bot.app.matches.table import Table
from bot.app.system import Clock
from db.stores.standings.ratings import RatingStore
from db.values.standings import Change

PAUSE_S, POLL_S = 0.02, 1.0
"""Seconds between two chunks of a job that recomputes ratings, and between two looks for such a job."""


class Unrated(Enum):
    """The reasons why a result changes no ratings."""

    CASUAL = auto()
    SHORT = auto()
    FIRST = auto()
    """The first game of two, which are rated when the second ends."""
    ALONE = auto()
    """The second game of two, whose first has no result any more."""
    SHORT_TWO = auto()
    """The second game of two that were both too short."""


class Ratings:
    """The ratings of members. They change with the result, in one transaction (see `bot.app.matches.move_log`)."""

    def __init__(self, store: RatingStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def recomputing(self) -> bool:
        """Return True while ratings are being recomputed because a result was reverted."""
        return await self._store.recomputing()

    async def recompute(self) -> float:
        """Recompute some ratings, if a result was reverted. Return the seconds after which to call this again."""
        return PAUSE_S if await self._store.recompute(self._clock.now()) else POLL_S

    async def changes(self, table: Table) -> tuple[Change, ...]:
        """The changes of its players' ratings by a match, in its game and server, by seat; empty if there are none."""
        return (await self._store.changes(table.id) or ()) if table.match.revealed else ()


def unrated(table: Table) -> Unrated | None:
    """Why the result of a match has changed no ratings; None if it changes some, or if there is no result.

    Two games may count by the first: call this for the second only if it has changed none.
    """
    if not table.match.revealed or not table.match.winners or table.voided:
        return None
    if not table.stored.rated:
        return Unrated.CASUAL
    if table.stored.first is not None:
        return Unrated.ALONE if table.stored.first.void is not None else Unrated.SHORT_TWO
    if table.stored.games > 1:
        return Unrated.FIRST
    return None if counts(table.match) else Unrated.SHORT
