"""Finished matches in the model."""

from collections import Counter

from db.values import Outcome, Page, Search, Standing, StoredMatch
from tests.db.model.base import Base


class History(Base):
    """Finished matches, found again."""

    def standings(self, guild: int, game: str | None, limit: int) -> list[Standing]:
        counts = Counter(
            (user, outcome)
            for it in self.matches.values()
            if it.place.guild == guild and game in (None, it.setup.game)
            for user, outcome in zip(it.users, it.outcomes or (), strict=False)
        )
        rows = [
            Standing(user, *(counts[user, outcome] for outcome in Outcome))
            for user in {user for user, _ in counts}
        ]
        return sorted(rows, key=lambda it: (-it.won, -it.drawn, it.lost, it.user))[:limit]

    def finished(self, search: Search, limit: int, mark: int | None, newer: bool) -> Page:
        everything = sorted(
            (it for it in self.matches.values() if _fits(search, it)),
            key=lambda it: (it.finished_at, it.id),
            reverse=True,
        )
        marked = self.matches.get(mark or 0)
        if marked is None or marked.finished_at is None:
            return Page(tuple(everything[:limit]), newer=False, older=len(everything) > limit)
        place = (marked.finished_at, marked.id)
        above = [it for it in everything if it.finished_at and (it.finished_at, it.id) > place]
        below = [it for it in everything if it.finished_at and (it.finished_at, it.id) < place]
        if newer:
            return Page(tuple(above[-limit:]), newer=len(above) > limit, older=True)
        return Page(tuple(below[:limit]), newer=True, older=len(below) > limit)


def _fits(search: Search, match: StoredMatch) -> bool:
    outcomes = dict(zip(match.users, match.outcomes or (), strict=False))
    return (
        match.finished_at is not None
        and match.place.guild == search.guild
        and search.channel in (None, match.place.channel)
        and search.game in (None, match.setup.game)
        and (search.member is None or search.member in outcomes)
        and (search.opponent is None or search.opponent in outcomes)
        and (search.outcome is None or outcomes[search.member or 0] is search.outcome)
    )
