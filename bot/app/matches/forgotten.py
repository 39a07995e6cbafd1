"""Matches without a clock whose players forget them: they are reminded, warned, and at last the match ends.

Before that, opponents who have waited for long may end the match.

Casual games against computers are archived instead (bot.app.matches.listed), and matches with a clock end on time.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import FORGOTTEN, UNANSWERED, Matches
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.matches import ForgottenMatch
from db.values.places import DiscordId
from rules.core.game import Seat

TASK = "forgotten games"
"""Name of the task whose items are matches that have reached a stage."""

REMIND, WARN, END = 1, 2, 3
"""The stages."""
REMIND_AFTER, WARN_AFTER, END_AFTER = timedelta(days=3), timedelta(days=23), timedelta(days=30)
"""The time without an entry after which each stage is reached."""
OPPONENTS_END_AFTER = timedelta(days=14)
"""The time without an entry after which a player who is not on turn may end a match. It begins again when a player
on turn comes back from an absence."""
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
        return await self._store.forgotten.due(bounds, now - WARNED_FOR, now, await self._rounds.limit(TASK))

    async def end(self, forgotten: ForgottenMatch) -> bool:
        """End a match without a result. Return False if somebody has moved meanwhile."""
        return await self._matches.abandon(forgotten.match, FORGOTTEN, forgotten.plies)

    async def told(self, forgotten: ForgottenMatch) -> None:
        """Note that the players of a match were told."""
        await self._store.forgotten.note(forgotten, self._clock.now())

    def can_be_ended_by(self, loaded: LoadedMatch, user: DiscordId) -> bool:
        """Return True if `user` has waited for so long that they may end a match without a result."""
        seat, match = loaded.seat_of(user), loaded.match
        if loaded.stored.time_control is not None or match.over or seat not in match.playing:
            return False
        if seat in match.to_move:
            return False
        # A secret move that nobody sees being made counts for nothing, as for clocks: the button would tell of it.
        since = loaded.waited_since
        returns = (loaded.stored.back_at(it) for it in match.to_move if it is not None)
        since = max([since, *(at for at in returns if at is not None)])
        return self._clock.now() - since >= OPPONENTS_END_AFTER

    async def end_by_opponent(self, match: int, user: DiscordId) -> None:
        """End a match without a result for a player who has waited. Raises Refused."""
        loaded, _ = await self._matches.playing(match, user)
        ended = self.can_be_ended_by(loaded, user) and await self._matches.abandon(
            match, UNANSWERED, loaded.plies
        )
        if not ended:
            raise Refused(
                f"You can end {loaded.name} only if it has no clock and the others have not moved for"
                f" {OPPONENTS_END_AFTER.days} days. If they were away, only the days since their return count."
            )


def unplayed(loaded: LoadedMatch) -> tuple[Seat, ...]:
    """Return the seats on turn when a match ended because nobody moved; () after any other end."""
    if loaded.stored.void not in (FORGOTTEN, UNANSWERED) or not loaded.match.void:
        return ()
    before = loaded.back_to(loaded.plies - 1).match
    return tuple(seat for seat in before.to_move if seat is not None)


def last_entry(loaded: LoadedMatch) -> datetime:
    """Return the time of the last entry of a match, or that of its beginning."""
    return loaded.stored.times[-1] if loaded.stored.times else loaded.stored.started_at


def ends_at(since: datetime, now: datetime) -> datetime:
    """Return when a match ends that has waited since then, if its players are warned now."""
    return max(since + END_AFTER, now + WARNED_FOR)
