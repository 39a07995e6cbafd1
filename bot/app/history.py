"""What was played: finished matches, found again."""

import asyncio
from dataclasses import dataclass

from bot.app.errors import Refused
from bot.app.matches.table import Table
from db.api.history import HistoryStore, Search
from db.api.matches import Outcome, StoredMatch
from db.api.places import DiscordId, Place

SHOWN = 6
"""Matches on one page."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of a history, the match that ended last first, and whether there are newer and older ones."""

    search: Search
    tables: tuple[Table, ...]
    newer: bool
    older: bool


class History:
    """Finished matches."""

    def __init__(self, store: HistoryStore) -> None:
        self._store = store

    async def chapter(self, search: Search, mark: int | None = None, *, newer: bool = False) -> Chapter:
        """The newest matches that are wanted; with `mark` those right after that match, or (`newer`) before it."""
        page = await self._store.finished(search, SHOWN, mark=mark, newer=newer)
        tables = await asyncio.to_thread(lambda: tuple(Table.of(stored) for stored in page.matches))
        return Chapter(search, tables, page.newer, page.older)

    async def recent(self, search: Search, limit: int) -> tuple[StoredMatch, ...]:
        """The matches that ended last."""
        return (await self._store.finished(search, limit)).matches


def wanted(
    place: Place,
    asker: DiscordId,
    *,
    game: str | None = None,
    member: DiscordId | None = None,
    opponent: DiscordId | None = None,
    outcome: Outcome | None = None,
) -> Search:
    """What a member asks for here: an opponent or an outcome without a member is the asker's own. Raises Refused."""
    if member is None and (opponent is not None or outcome is not None):
        member = asker
    if member is not None and member == opponent:
        raise Refused("Nobody plays against themselves; name two different members.")
    return Search.near(place, game, member, opponent, outcome)
