"""The puzzle of each day, for the servers that chose it."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from bot.app.errors import Refused
from bot.app.matches.loaded import position
from bot.app.puzzles.puzzles import Puzzles
from bot.app.system import Clock
from db.store import Store
from db.values.matches import NEAR
from db.values.places import DiscordId
from db.values.posts import Post, PostKind
from rules.core.match import Match
from rules.puzzles.puzzle import Puzzle

DAY = timedelta(days=1)
MOST_DUE = 200
"""Servers whose posts one round adds."""
KEPT_FOR = timedelta(days=7)
"""The time for which a post is remembered."""


NAMED = 20
"""The most members that the board of a day names."""


@dataclass(frozen=True, slots=True)
class DayBoard:
    """The results of the puzzle of a day in a server: how many members have tried it, and who has solved it.

    Only first attempts count, and only those that ended on the day or before. `solvers` are the first who
    solved it, in this order; those who chose not to be listed are left out, and count in `solved`.
    """

    tried: int = 0
    solved: int = 0
    solvers: tuple[DiscordId, ...] = field(default=())


class DailyPuzzles:
    """The posts of the puzzle of the day."""

    def __init__(self, store: Store, clock: Clock, puzzles: Puzzles) -> None:
        self._clock = clock
        self._store = store
        self._closed = ""
        """The day before which all posts were closed."""
        self._puzzles = puzzles

    @property
    def today(self) -> date:
        """The day whose puzzle is the newest."""
        return self._puzzles.today

    async def puzzle(self, day: date) -> Puzzle | None:
        """Return the puzzle of a day; None if it would give a running game away, or no longer exists."""
        try:
            puzzle = await self._puzzles.of_day(day)
        except Refused:
            return None
        return None if await self._puzzles.guard.taken(puzzle) else puzzle

    async def undone(self, user: DiscordId) -> Puzzle | None:
        """Return the puzzle of today, or None if `user` has done it or it would give a running game away."""
        puzzle = await self.puzzle(self.today)
        attempt = None if puzzle is None else await self._store.puzzles.attempt(user, puzzle.name)
        return None if attempt is not None and attempt.ended is not None else puzzle

    async def check_explored(self, user: DiscordId, match: Match) -> None:
        """Raise Refused if a position is that of the puzzle of today, or close to it, and `user` has not done it."""
        puzzle = await self._puzzles.of_day(self.today)
        if puzzle.game != match.setup.game or not await asyncio.to_thread(_gives_away, puzzle, match):
            return
        attempt = await self._store.puzzles.attempt(user, puzzle.name)
        if attempt is None or attempt.ended is None:
            raise Refused("This position gives away the puzzle of today; do that first, with `/puzzle`.")

    async def shown(self, day: date) -> Puzzle:
        """Return the puzzle of a day that was posted. Raises Refused if it no longer exists."""
        return await self._puzzles.of_day(day)

    async def add_due(self) -> int:
        """Add the posts of today that are due to the outbox, and close those of earlier days. Return how many.

        Days gone by are never made up for.
        """
        now = self._clock.now().astimezone(UTC)
        key = str(now.date())
        due = await self._store.servers.due(PostKind.PUZZLE, key, now.hour, MOST_DUE)
        places = [(guild, channel) for guild, channel in due if channel is not None]
        await self._store.posts.add(PostKind.PUZZLE, key, places, now)
        if self._closed != key:
            await self._store.posts.close(PostKind.PUZZLE, key, now)
            await self._store.posts.forget_before(PostKind.PUZZLE, str(now.date() - KEPT_FOR))
            self._closed = key
        return len(places)

    async def post(self, guild: DiscordId, day: date) -> Post | None:
        """Return the post of a day in a server, or None."""
        return await self._store.posts.get(PostKind.PUZZLE, guild, str(day))

    async def board(self, guild: DiscordId, day: date) -> DayBoard:
        """Return the results of the puzzle of a day in a server."""
        name = await self._store.puzzles.of_day(day)
        if name is None:
            return DayBoard()
        return DayBoard(*await self._store.puzzles.results(name, midnight(day + DAY), guild, NAMED))


def _gives_away(puzzle: Puzzle, match: Match) -> bool:
    """Return True if a position is one in which a move of a puzzle is to be found, or follows it closely."""
    asked, after = _keys(puzzle)
    lately = (position(match.setup, match.log[: max(0, len(match.log) - back)]) for back in range(NEAR + 1))
    return match.position_key in after or any(stage.position_key in asked for stage in lately)


@lru_cache(maxsize=2)
def _keys(puzzle: Puzzle) -> tuple[frozenset[int], frozenset[int]]:
    """Return the keys of the positions in which a move of a puzzle is to be found, and of those one move later."""
    asked = [puzzle.after(found) for found in range(puzzle.only_moves)]
    after = (stage.play(stage.to_move[0], text) for stage in asked for text in stage.legal() or ())
    return frozenset(it.position_key for it in asked), frozenset(it.position_key for it in after)


def midnight(day: date) -> datetime:
    """Return the time at which a day begins in UTC."""
    return datetime.combine(day, time(), UTC)
