"""Finished matches in the model."""

from db.values.matches import FinishedMatch, Page, Search, StoredMatch
from tests.db.model.base import Base


class History(Base):
    """The model of the history."""

    def finished(self, search: Search, limit: int, mark: int | None, newer: bool) -> Page:
        everything = sorted(
            (it for it in self.matches.values() if _fits(search, it)),
            key=lambda it: (it.finished_at, it.id),
            reverse=True,
        )
        marked = self.matches.get(mark or 0)
        if marked is None or marked.finished_at is None or not _at_place(search, marked):
            return Page(tuple(everything[:limit]), newer=False, older=len(everything) > limit)
        place = (marked.finished_at, marked.id)
        above = [it for it in everything if it.finished_at and (it.finished_at, it.id) > place]
        below = [it for it in everything if it.finished_at and (it.finished_at, it.id) < place]
        if newer:
            return Page(tuple(above[-limit:]), newer=len(above) > limit, older=True)
        return Page(tuple(below[:limit]), newer=True, older=len(below) > limit)

    def last_finished(self, search: Search, limit: int) -> list[FinishedMatch]:
        return [
            FinishedMatch(it.id, it.setup.game, it.finished_at, it.users, it.outcomes)
            for it in self.finished(search, limit, None, newer=False).matches
            if it.finished_at is not None
        ]


def _at_place(search: Search, match: StoredMatch) -> bool:
    return match.place.guild == search.guild and search.channel in (None, match.place.channel)


def _fits(search: Search, match: StoredMatch) -> bool:
    """True if a search finds a match. One without a result is found by its players, but by no outcome."""
    outcomes = dict(zip(match.users, match.outcomes or [None] * len(match.users), strict=True))
    return (
        match.finished_at is not None
        and _at_place(search, match)
        and search.game in (None, match.setup.game)
        and (search.member is None or search.member in outcomes)
        and (search.opponent is None or search.opponent in outcomes)
        and (search.outcome is None or outcomes[search.member or 0] is search.outcome)
    )
