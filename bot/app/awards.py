"""Awards: the achievements that members have earned. Records decide them (bot.app.achievements); they are stored."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from bot.app.achievements import ALL, BY_KEY, awarded, progress, worthy
from bot.app.achievements.achievement import Achievement, Progress
from bot.app.matches.listed import readable
from bot.app.matches.loaded import LoadedMatch
from db.store import Store
from db.values.matches import Award, Earned, Search, StoredMatch
from db.values.places import DiscordId, Place

BATCH = 50
"""Matches that are read at a time."""


LOOKED_AT = 10
"""The last matches of a member that are looked at for their progress. Each is replayed."""


@dataclass(frozen=True, slots=True)
class Won:
    """An achievement of a member, and the match by which they first earned it."""

    achievement: Achievement
    proof: Earned


class Awards:
    """The achievements of members."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, user: DiscordId) -> tuple[Won, ...]:
        """Return the achievements of a member, in the order of the list."""
        return _won(await self._store.achievements.first_awards(user, BY_KEY))

    async def progress(self, user: DiscordId, place: Place) -> dict[str, Progress]:
        """Return the progress of a member in countable achievements, by key.

        It comes from their last games that may be seen at a place; of several games the one that came closest counts.
        """
        recent = (await self._store.history.page(Search.near(place, None, user), LOOKED_AT)).matches
        return await asyncio.to_thread(_closest, recent, user)

    async def new(self, loaded: LoadedMatch) -> tuple[Won, ...]:
        """Return the achievements that members earned for the first time by a match."""
        return _won(await self._store.achievements.new_awards(loaded.id)) if loaded.match.revealed else ()

    async def rebuild(self) -> int:
        """Decide again what each finished match proves, by its record. Return the number of matches."""
        count, last = 0, 0
        while batch := await self._store.history.after(last, BATCH):
            for stored in batch:
                await self._store.achievements.award_again(
                    stored.id, await asyncio.to_thread(_proved, stored)
                )
            count, last = count + len(batch), batch[-1].id
        return count


def _closest(matches: Iterable[StoredMatch], user: DiscordId) -> dict[str, Progress]:
    best: dict[str, Progress] = {}
    for loaded in readable(matches):
        stored = loaded.stored
        seat = stored.users.index(user)
        if stored.void is not None or seat in stored.hinted or not worthy(stored.users):
            continue
        for key, step in progress(loaded.match, seat).items():
            if key not in best or step.have * best[key].need > best[key].have * step.need:
                best[key] = step
    return best


def _proved(stored: StoredMatch) -> tuple[Award, ...]:
    return awarded(LoadedMatch.of(stored).match, stored.users)


def _won(proofs: list[Earned]) -> tuple[Won, ...]:
    """Return the achievements in the order of the list, without those that no longer exist."""
    return tuple(Won(it, proof) for it in ALL for proof in proofs if proof.key == it.key)
