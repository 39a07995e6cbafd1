"""Finished matches, page by page."""

import asyncio
from dataclasses import dataclass

from bot.app.errors import Refused
from bot.app.matches.table import Table
from db.stores.matches.lists import HistoryStore
from db.values.matches import FinishedMatch, Outcome, Search, StoredMatch
from db.values.places import DiscordId, Place

SHOWN = 6
"""Matches on one page."""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of finished matches, the one that ended last first; `newer` and `older` say if there are more."""

    search: Search
    tables: tuple[Table, ...]
    newer: bool
    older: bool


class History:
    """Finished matches."""

    def __init__(self, store: HistoryStore) -> None:
        self._store = store

    async def page(self, search: Search, mark: int | None = None, *, newer: bool = False) -> HistoryPage:
        """The newest matches of a search; with `mark` those right after that match, or (`newer`) right before it."""
        page = await self._store.page(search, SHOWN, mark=mark, newer=newer)
        tables = await asyncio.to_thread(lambda: tuple(Table.of(stored) for stored in page.matches))
        return HistoryPage(search, tables, page.newer, page.older)

    async def page_from(self, search: Search, first: int) -> HistoryPage:
        """The page of a search that begins with the match `first`."""
        above = (await self._store.page(search, 1, mark=first, newer=True)).matches
        return await self.page(search, above[0].id if above else None)

    async def recent(self, search: Search, limit: int) -> tuple[StoredMatch, ...]:
        """The matches that ended last."""
        return (await self._store.page(search, limit)).matches

    async def names(self, search: Search, limit: int) -> list[FinishedMatch]:
        """The matches that ended last, without their moves."""
        return await self._store.last(search, limit)


def search_for(
    place: Place,
    asker: DiscordId,
    *,
    game: str | None = None,
    member: DiscordId | None = None,
    opponent: DiscordId | None = None,
    outcome: Outcome | None = None,
) -> Search:
    """The search that a member asks for here. An opponent or an outcome without a member means the asker's own.

    Raises Refused.
    """
    if member is None and (opponent is not None or outcome is not None):
        member = asker
    if member is not None and member == opponent:
        raise Refused("Nobody plays against themselves; name two different members.")
    return Search.near(place, game, member, opponent, outcome)
