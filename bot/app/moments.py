"""Moments of a server's finished games: searched for one game at a time, listed, and offered as puzzles."""

import re
from dataclasses import dataclass
from datetime import timedelta

import structlog

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import is_visible
from bot.app.searches import Found, MomentFinder, Unsearched
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.places import DiscordId, Place
from db.values.puzzles import StoredMoment
from rules.core.match import Match
from rules.puzzles.moments import puzzle_at, searchable
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import RECIPES

log = structlog.get_logger()

SEARCH_INTERVAL_S = 15.0
"""Seconds between two searches for a game whose moments are to be found, when there was no such game."""
REST = timedelta(hours=1)
"""The time after the end of a game during which it is not searched: it may still be taken back."""
OLDEST = timedelta(days=30)
"""Games that finished longer ago are not searched any more."""
FAILED = 20.0
"""Seconds of CPU time that a search counts as which found nothing because it took too long or its process died."""
MOST_S = 3600.0
"""Seconds after which a search counts as failed. It waits while moves are searched for."""
MOMENTS = "moments"
"""Name of the task whose items are finished matches that are searched."""
SHOWN = 10
"""Moments in a list."""

GONE = "This puzzle is gone: its game, its result, or the data of the member who played it was deleted."

_NAME = re.compile(r"match-([0-9]{1,10})-([0-9]{1,5})")


def moment_name(moment: StoredMoment) -> str:
    """Return the name of the puzzle that a moment is."""
    return f"match-{moment.match}-{moment.ply}"


@dataclass(frozen=True, slots=True)
class Searched:
    """A match that was searched: its id, the number of its moments, and the CPU time that it took in seconds."""

    match: int
    moments: int
    seconds: float


class Moments:
    """The moments of finished games."""

    def __init__(self, store: Store, clock: Clock, finder: MomentFinder, rounds: Rounds) -> None:
        self._store = store
        self._clock = clock
        self._finder = finder
        self._rounds = rounds

    async def search_next(self) -> Searched | None:
        """Search the last finished game that was not searched yet, and store what it has.

        Return None if there is none, or if its search failed: then another game comes first for a while.
        """
        now, searched = self._clock.now(), list[Searched]()

        async def search(match: int) -> None:
            stored = await self._store.matches.load(match)
            if stored is None:
                return  # It was deleted just now.
            found = await self._find(LoadedMatch.of(stored).match)
            await self._store.moments.keep(match, found.moments)
            searched.append(Searched(match, len(found.moments), found.seconds))

        waiting = set(await self._rounds.waiting(MOMENTS))
        due = await self._store.moments.to_search(tuple(RECIPES), now - OLDEST, now - REST, len(waiting) + 1)
        first = [match for match in due if str(match) not in waiting][:1]
        await self._rounds.each(MOMENTS, first, search, seconds=MOST_S)
        return searched[0] if searched else None

    async def _find(self, match: Match) -> Found:
        """Return the moments of a match; none if it cannot be searched, which is not tried again."""
        if not searchable(match):
            return Found((), 0.0)
        try:
            return await self._finder.moments(match)
        except Unsearched:
            return Found((), FAILED)

    async def newest(self, guild: DiscordId) -> list[StoredMoment]:
        """Return the moments of a server's last games, those of the newest game first."""
        return await self._store.moments.newest(guild, SHOWN)

    async def named(self, name: str) -> StoredMoment | None:
        """Return the moment of this name; None if it is another name, or that of a moment that is gone."""
        fits = _NAME.fullmatch(name)
        return None if fits is None else await self._store.moments.get(int(fits[1]), int(fits[2]))

    async def check_visible(self, name: str, user: DiscordId, place: Place) -> None:
        """Raise Refused if a name is that of a moment of whose match `user` may not know at `place`."""
        fits = _NAME.fullmatch(name)
        if fits is not None and not await is_visible(self._store, int(fits[1]), user, place):
            raise Refused(GONE)

    async def puzzle(self, moment: StoredMoment) -> Puzzle:
        """Return the puzzle that a moment is. Raises Refused if it is gone."""
        stored = await self._store.matches.load(moment.match)
        if stored is None:
            raise Refused(GONE)
        match = LoadedMatch.of(stored).match
        return puzzle_at(match, moment.ply, moment.line, moment.value, moment.plies)

    async def find(self, name: str) -> Puzzle | None:
        """Return the puzzle of this name; None if it is no name of a moment. Raises Refused if it is gone."""
        moment = await self.named(name)
        if moment is None and _NAME.fullmatch(name):
            raise Refused(GONE)
        return None if moment is None else await self.puzzle(moment)


class MomentTask:
    """The background task of moments: it searches finished games, one after the other.

    It takes `percent` of the time of one processor core at most.
    """

    def __init__(self, moments: Moments, percent: int) -> None:
        self._moments = moments
        self._percent = percent

    async def round(self) -> float:
        """Search a game, if there is one. Return the seconds to rest.

        A search that was not finished when the process ended is begun again by the next.
        """
        searched = await self._moments.search_next()
        if searched is None:
            return SEARCH_INTERVAL_S
        log.info("moments.searched", match=searched.match, moments=searched.moments)
        return rest(searched.seconds, self._percent)


def rest(seconds: float, percent: int) -> float:
    """Return the time for which nothing is searched after so many seconds of CPU time, to keep to the percentage."""
    return seconds * (100 - percent) / percent
