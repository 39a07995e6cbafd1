"""Matches without a clock whose players forget them: they are reminded, warned, and at last the match ends.

Casual games against computers are archived instead (bot.app.matches.listed), and matches with a clock end on time.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import FORGOTTEN, Matches
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.matches import ForgottenMatch

TASK = "forgotten games"
"""Name of the task whose items are matches that have reached a stage."""

REMIND, WARN, END = 1, 2, 3
"""The stages."""
REMIND_AFTER, WARN_AFTER, END_AFTER = timedelta(days=3), timedelta(days=23), timedelta(days=30)
"""The time without an entry after which each stage is reached."""
WARNED_FOR = END_AFTER - WARN_AFTER
"""The least time between a warning and the end, also if the warning was late."""


class ForgottenMatches:
    """The service that finds and ends forgotten matches."""

    def __init__(self, store: Store, clock: Clock, matches: Matches, rounds: Rounds) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._rounds = rounds

    async def due(self) -> Sequence[ForgottenMatch]:
        """Return the matches that have reached a stage which was not handled yet."""
        now = self._clock.now()
        bounds = [now - span for span in (REMIND_AFTER, WARN_AFTER, END_AFTER)]
        return await self._store.forgotten.due(bounds, now - WARNED_FOR, await self._rounds.limit(TASK))

    async def end(self, forgotten: ForgottenMatch) -> bool:
        """End a match without a result. Return False if somebody has moved meanwhile."""
        return await self._matches.abandon(forgotten.match, FORGOTTEN, forgotten.plies)

    async def told(self, forgotten: ForgottenMatch) -> None:
        """Note that the players of a match were told."""
        await self._store.forgotten.note(forgotten, self._clock.now())


def last_entry(loaded: LoadedMatch) -> datetime:
    """Return the time of the last entry of a match, or that of its beginning."""
    return loaded.stored.times[-1] if loaded.stored.times else loaded.stored.started_at


def ends_at(since: datetime, now: datetime) -> datetime:
    """Return when a match ends that has waited since then, if its players are warned now."""
    return max(since + END_AFTER, now + WARNED_FOR)
