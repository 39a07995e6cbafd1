"""The post of the best moment of a week, from a server's own finished games. A week is one of UTC, from Monday on."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from bot.app.moments.moments import Moments
from bot.app.puzzles.daily import MOST_DUE
from bot.app.puzzles.puzzles import Puzzles
from bot.app.system import Clock
from db.store import Store
from db.values.places import DiscordId
from db.values.posts import PostKind
from db.values.puzzles import StoredMoment
from rules.puzzles.puzzle import Puzzle

WEEK = timedelta(days=7)
EARLIEST = 2
"""The hour of Monday from which on the last week is over: its last games were searched by then."""
TRIED = 5
"""The moments of a week that may be the best, if those before them wait for running games."""


class WeeklyMoments:
    """The posts of the best moment of the week before, one for each server and Monday."""

    def __init__(self, store: Store, clock: Clock, moments: Moments, puzzles: Puzzles) -> None:
        self._clock = clock
        self._store = store
        self._moments = moments
        self._puzzles = puzzles

    @property
    def monday(self) -> date:
        """The Monday of this week."""
        today = self._clock.now().astimezone(UTC).date()
        return today - timedelta(days=today.weekday())

    async def add_due(self) -> int:
        """Add the posts of this week that are due to the outbox. Return how many."""
        now = self._clock.now().astimezone(UTC)
        hours = int((now - _midnight(self.monday)) / timedelta(hours=1))
        if hours < EARLIEST:
            return 0
        due = await self._store.servers.due(PostKind.MOMENT, str(self.monday), hours, MOST_DUE)
        places = [(guild, channel) for guild, channel in due if channel is not None]
        await self._store.posts.add(PostKind.MOMENT, str(self.monday), places, now)
        await self._store.posts.forget_before(PostKind.MOMENT, str(self.monday - WEEK))
        return len(places)

    async def best(self, guild: DiscordId, monday: date) -> tuple[StoredMoment, Puzzle] | None:
        """The best moment of the games that a server finished in the week before a Monday, with its puzzle.

        None if there is none that gives no running game away. A member who chose not to be listed is not named: the
        moment has the id 0 then.
        """
        over = _midnight(monday)
        for moment in await self._store.moments.best(guild, over - WEEK, over, TRIED):
            puzzle = await self._moments.puzzle(moment)
            if not await self._puzzles.guard.taken(puzzle):
                member = await self._store.members.get(moment.user)
                return (moment if member.listed else replace(moment, user=0)), puzzle
        return None

    async def any(self, guild: DiscordId, monday: date) -> bool:
        """True if a server finished games in the week before a Monday that have moments."""
        over = _midnight(monday)
        return bool(await self._store.moments.best(guild, over - WEEK, over, 1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
