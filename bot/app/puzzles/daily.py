"""The puzzle of each day and the post of each week, for the servers that chose them.

The weekly post has a board, a rivalry, streaks at puzzles, and a moment.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, position
from bot.app.matches.matches import Matches
from bot.app.moments import Moments
from bot.app.puzzles.puzzles import Puzzles, streak
from bot.app.standings import tally
from bot.app.system import Clock
from db.store import Store
from db.values.matches import NEAR
from db.values.places import DiscordId, Place
from db.values.posts import Post, PostKind
from db.values.puzzles import StoredMoment
from db.values.standings import Counts
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


WEEK = timedelta(days=7)
EARLIEST = 2
"""The hour of Monday from which on the last week is over: its last games were searched by then."""
TRIED = 20
"""The boards and the moments of a week that are tried, if those before them may not be shown."""
USUAL = 8 * WEEK
"""The time whose games give the usual length of a kind of game."""
PAIRS = 30
"""The pairs of a week that may be the closest rivals."""
FEWEST_GAMES, CLOSE = 5, 2
"""The least number of rated games of two rivals, and the largest difference between their wins."""
SHORTEST, STREAKS = 3, 3
"""The least number of days in a row that a streak has, and the number of streaks that are named."""
SOLVERS = 100
"""The solvers of a day whose streaks are compared."""


Shown = Callable[[Place], Awaitable[bool]]
"""A function that returns True if the games of a place may be shown in a post."""


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Two members whose results against each other are close, with those of `one`, who has won at least as often."""

    one: DiscordId
    other: DiscordId
    counts: Counts


@dataclass(frozen=True, slots=True)
class Week:
    """The contents of the post about a week in a server. A missing part is None or empty.

    The member of the moment has the id 0 if they chose not to be listed. `streaks` are members with their days in a
    row, the longest first.
    """

    board: LoadedMatch | None = None
    rivalry: Rivalry | None = None
    streaks: tuple[tuple[DiscordId, int], ...] = ()
    moment: tuple[StoredMoment, Puzzle] | None = None

    @property
    def empty(self) -> bool:
        return self == Week()


class WeeklyPosts:
    """The posts about the week before, one for each server and Monday."""

    def __init__(
        self, store: Store, clock: Clock, matches: Matches, moments: Moments, puzzles: Puzzles
    ) -> None:
        self._clock = clock
        self._store = store
        self._matches = matches
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
        hours = int((now - midnight(self.monday)) / timedelta(hours=1))
        if hours < EARLIEST:
            return 0
        due = await self._store.servers.due(PostKind.MOMENT, str(self.monday), hours, MOST_DUE)
        places = [(guild, channel) for guild, channel in due if channel is not None]
        await self._store.posts.add(PostKind.MOMENT, str(self.monday), places, now)
        if places:
            await self._store.posts.forget_before(PostKind.MOMENT, str(self.monday - WEEK))
        return len(places)

    async def of(self, guild: DiscordId, monday: date, shown: Shown) -> Week:
        """Return the contents of the post about the week before a Monday in a server."""
        return Week(
            await self.board(guild, monday, shown),
            await self.rivalry(guild, monday),
            await self.streaks(guild, monday),
            await self.moment(guild, monday, shown),
        )

    async def board(self, guild: DiscordId, monday: date, shown: Shown) -> LoadedMatch | None:
        """Return the match that was longest for its kind of those that were played to their end, or None.

        No player is a computer, a former member, or a member who chose not to be listed.
        """
        over = midnight(monday)
        for match in await self._store.weeks.longest(guild, over - WEEK, over, over - USUAL, TRIED):
            loaded = await self._matches.load(match)
            if await shown(loaded.stored.place):
                return loaded
        return None

    async def rivalry(self, guild: DiscordId, monday: date) -> Rivalry | None:
        """Return the closest rivals of those who finished a rated match together, or None.

        Their results are those that `/profile` shows in the server. Of pairs that are as close, the one with the most
        games is chosen.
        """
        over, found = midnight(monday), list[tuple[int, int, Rivalry]]()
        for one, other in await self._store.weeks.rivals(guild, over - WEEK, over, PAIRS):
            won, drawn, lost = tally(await self._store.profiles.duels(one, other, guild))
            games, apart = won + drawn + lost, abs(won - lost)
            if games >= FEWEST_GAMES and apart <= CLOSE:
                ahead = Rivalry(one, other, (won, drawn, lost))
                behind = Rivalry(other, one, (lost, drawn, won))
                found.append((apart, -games, ahead if won >= lost else behind))
        return min(found, key=lambda it: it[:2])[2] if found else None

    async def streaks(self, guild: DiscordId, monday: date) -> tuple[tuple[DiscordId, int], ...]:
        """Return the members with the longest streaks, of the first who solved the puzzle of Sunday in the server."""
        name = await self._store.puzzles.of_day(monday - DAY)
        if name is None:
            return ()
        _, _, solvers = await self._store.puzzles.results(name, midnight(monday), guild, SOLVERS)
        lengths = [
            (user, streak(await self._store.puzzles.solved_days(user), monday).now) for user in solvers
        ]
        longest = sorted((it for it in lengths if it[1] >= SHORTEST), key=lambda it: -it[1])
        return tuple(longest[:STREAKS])

    async def moment(
        self, guild: DiscordId, monday: date, shown: Shown
    ) -> tuple[StoredMoment, Puzzle] | None:
        """Return the best moment of the games that a server finished in the week before a Monday, with its puzzle.

        None if there is none that gives no running game away. A member who chose not to be listed is not named: the
        moment has the id 0 then.
        """
        for moment in await self._moments_of(guild, monday, shown):
            puzzle = await self._moments.puzzle(moment)
            if not await self._puzzles.guard.taken(puzzle):
                member = await self._store.members.get(moment.user)
                return (moment if member.listed else replace(moment, user=0)), puzzle
        return None

    async def has_moments(self, guild: DiscordId, monday: date, shown: Shown) -> bool:
        """Return True if a server finished games in the week before a Monday that have moments to show."""
        return bool(await self._moments_of(guild, monday, shown))

    async def _moments_of(self, guild: DiscordId, monday: date, shown: Shown) -> list[StoredMoment]:
        over = midnight(monday)
        best = await self._store.moments.best(guild, over - WEEK, over, TRIED)
        return [it for it in best if await shown((await self._matches.load(it.match)).stored.place)]
