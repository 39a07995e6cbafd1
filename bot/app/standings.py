"""Ratings that a match changed, profiles, the comparison of two members, and leaderboards."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import counts
from bot.app.system import Clock
from bot.app.tasks.rounds import EndRound, Rounds
from db.store import Store
from db.stores.standings.leaderboards import LeaderboardStore, ProfileStore
from db.stores.standings.ratings import RatingStore
from db.values.events import TitleKind
from db.values.places import DiscordId
from db.values.posts import PostKind
from db.values.standings import (
    TOGETHER,
    Change,
    Counts,
    Duels,
    ExpiredLeaderboards,
    Mark,
    PageTurn,
    PeriodKind,
    Ranked,
    Rating,
    Runs,
    Standings,
)
from rules.core.game import Seat
from rules.games import BY_KEY, GAMES

PAUSE_S, POLL_S = 0.02, 15.0
"""Seconds between two chunks of a job that recomputes ratings, and between two looks for such a job."""


class Unrated(Enum):
    """The reasons why a result changes no ratings."""

    CASUAL = auto()
    SHORT = auto()
    FIRST = auto()
    """The first game of two, which are rated when the second ends."""
    ALONE = auto()
    """The second game of two, whose first has no result any more."""
    SHORT_TWO = auto()
    """The second game of two that were both too short."""


class Ratings:
    """The ratings of members. They change with the result, in one transaction (see `bot.app.matches.move_log`)."""

    def __init__(self, store: RatingStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def recompute(self) -> float:
        """Recompute some ratings, if a result was reverted. Return the seconds after which to call this again."""
        return PAUSE_S if await self._store.recompute(self._clock.now()) else POLL_S

    async def changes(self, loaded: LoadedMatch) -> tuple[Change, ...]:
        """Return the rating changes of a match by seat, in its game and server; empty if there are none."""
        return (await self._store.changes(loaded.id) or ()) if loaded.match.revealed else ()


def unrated(loaded: LoadedMatch) -> Unrated | None:
    """Return why a result has changed no ratings; None if it changed some, or if there is no result.

    Two games may count by the first: call this for the second only if it has changed none.
    """
    if not loaded.match.revealed or not loaded.match.winners or loaded.voided:
        return None
    if not loaded.stored.rated:
        return Unrated.CASUAL
    if loaded.stored.first is not None:
        return Unrated.ALONE if loaded.stored.first.void is not None else Unrated.SHORT_TWO
    if loaded.stored.games > 1:
        return Unrated.FIRST
    return None if counts(loaded.match) else Unrated.SHORT


@dataclass(frozen=True, slots=True)
class MemberProfile:
    """The profile of a member in a server (None: globally), in one game or (None) in all.

    `rating` is None without a rated game. `scores` are those after the first game, the last one and some between, each
    with the time at which the game ended, oldest first.
    """

    user: DiscordId
    game: str | None
    guild: DiscordId | None
    rating: Rating | None
    rank: int
    members: int
    records: tuple[tuple[str, Counts], ...]
    """By key of the game, in the order of the catalogue."""
    seats: tuple[tuple[Seat, Counts], ...]
    scores: tuple[tuple[datetime, int], ...]
    runs: Runs
    computer: bool = False
    recomputing: bool = False
    """True if scores may still change because a result was reverted."""

    @property
    def favourite(self) -> str | None:
        """The key of the game that they have played most; the first one among equals."""
        played = [(sum(counts), -number, key) for number, (key, counts) in enumerate(self.records)]
        return max(played)[2] if played else None

    @property
    def tributes(self) -> tuple[tuple[str, int], ...]:
        """The names of their losses, such as `Skulls donated to the pile`, each with its count."""
        given = ((BY_KEY[key].sheet.tribute, counts[2]) for key, counts in self.records)
        return tuple((what, often) for what, often in given if what and often)


class Profiles:
    """The profiles of members. Methods raise Refused."""

    def __init__(self, store: ProfileStore) -> None:
        self._store = store

    async def profile(self, user: DiscordId, game: str | None, guild: DiscordId | None) -> MemberProfile:
        """Return the profile of a member in a game or in all, in a server or globally."""
        found = await self._store.get(user, game, guild, [each.key for each in GAMES])
        records = tuple(
            (it.leaderboard.game, (it.won, it.drawn, it.lost))
            for it in found.ratings
            if it.leaderboard.game != TOGETHER and game in (None, it.leaderboard.game)
        )
        return MemberProfile(
            user=user,
            game=game,
            guild=guild,
            rating=next((it for it in found.ratings if it.leaderboard.game == (game or TOGETHER)), None),
            rank=found.rank,
            members=found.members,
            records=records,
            seats=found.seats,
            scores=found.scores,
            runs=found.runs,
            computer=found.computer,
            recomputing=found.recomputing,
        )

    async def versus(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> Duels:
        """Return the results of two members against each other, in a server and wherever games count globally.

        Raises Refused.
        """
        if one == other:
            raise Refused("Nobody plays against themselves; name another member.")
        return await self._store.duels(one, other, guild)


def tally(duels: Duels) -> Counts:
    """Return the numbers of games in which the first member finished better than, equal to and worse than the other."""
    better, equal, worse = (sum(counts[it] for _, counts in duels.games) for it in range(3))
    return better, equal, worse


EVERY = timedelta(hours=1)
"""The time between two queries for leaderboards that have expired."""
BATCH = 200
"""Rows of each kind that one transaction deletes: few enough that nobody waits for it."""
SWEPT = 1000
"""About how many rows one sweep deletes."""


class LeaderboardCleanup:
    """The deletion of expired leaderboards."""

    def __init__(self, store: LeaderboardStore, clock: Clock, rounds: Rounds) -> None:
        self._store = store
        self._clock = clock
        self._rounds = rounds
        self._due: dict[ExpiredLeaderboards, None] = {}
        self._checked: timedelta | None = None
        """The time of the last query, by the monotonic clock."""

    async def sweep(self) -> int:
        """Delete some expired rows, and return how many."""
        passed, gone = self._clock.monotonic(), 0
        if self._checked is None or passed - self._checked >= EVERY:
            self._due = dict.fromkeys(await self._store.expired(self._clock.now()))
            self._checked = passed

        async def delete(boards: ExpiredLeaderboards) -> None:
            nonlocal gone
            deleted = BATCH
            while deleted >= BATCH:
                if gone >= SWEPT:
                    raise EndRound
                deleted = await self._store.delete_expired(boards, BATCH)
                gone += deleted
            del self._due[boards]

        await self._rounds.each("leaderboards", self._due, delete, key=lambda it: f"{it.guild}-{it.period}")
        return gone


SHOWN = 10
"""Members on one page."""
PODIUM = 3
"""Ranks on the podium; equals share one, so there may be more members."""
MOST_DUE = 200
"""Servers whose podiums one round adds."""
FINISHED = 10
"""The fewest games of a month that the most reliable finisher of a server has finished."""
LOOKED_AT = 5
"""The most pages of a leaderboard that are read to find the podium."""


@dataclass(frozen=True, slots=True)
class LeaderboardQuery:
    """The leaderboard that is asked for: game None means all games, server None means global."""

    game: str | None = None
    guild: DiscordId | None = None
    period_kind: PeriodKind = PeriodKind.ALWAYS


class Leaderboards:
    """The leaderboards, page by page."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def page(
        self, query: LeaderboardQuery, viewer: DiscordId, turn: PageTurn = PageTurn.FIRST, mark: Mark = (0, 0)
    ) -> Standings:
        """Return a page of a leaderboard for `viewer`: with them in the middle, or next to the row at `mark`."""
        now = self._clock.now()
        return await self._store.leaderboards.page(
            query.game, query.guild, query.period_kind, now, viewer, SHOWN, turn, mark
        )

    async def podium(self, query: LeaderboardQuery, viewer: DiscordId = 0) -> Standings:
        """Return the best of last season, the calendar month in UTC that has ended; equals share a rank.

        A podium is for people. A computer player has a rank on the leaderboard, but here the people below it move up.
        """
        ended = self._season_ended()
        board, game, guild = PeriodKind.SEASON, query.game, query.guild
        found = page = await self._store.leaderboards.page(game, guild, board, ended, viewer, SHOWN)
        people = _people(page)
        for _ in range(LOOKED_AT - 1):
            if not page.lower or len(people) >= PODIUM:
                break
            mark = page.rows[-1].mark
            page = await self._store.leaderboards.page(
                game, guild, board, ended, viewer, SHOWN, PageTurn.FORWARD, mark
            )
            people += _people(page)
        scores = [row.mark[0] for row in people]
        placed = [
            replace(row, rank=1 + sum(it > score for it in scores))
            for row, score in zip(people, scores, strict=True)
        ]
        return replace(found, rows=tuple(row for row in placed if row.rank <= PODIUM), around=())

    async def add_due_podiums(self) -> int:
        """Add the podiums of last season that are due to the outbox: none while scores may change. Return how many."""
        season, now = self.season_ended, self._clock.now()
        due = await self._store.servers.due(PostKind.PODIUM, season, 0, MOST_DUE)
        if not due or await self._store.ratings.recomputing():
            return 0
        for guild, _ in due:
            ended = self._season_ended()
            begun = ended.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
            users = await self._store.titles.finishers(guild, begun, ended, FINISHED)
            await self._store.titles.add(guild, TitleKind.FINISHER, season, users, now)
        await self._store.posts.add(PostKind.PODIUM, season, [(guild, it or 0) for guild, it in due], now)
        await self._store.posts.forget_before(PostKind.PODIUM, season)
        return len(due)

    @property
    def season_ended(self) -> str:
        """Last season, such as `2026-10`."""
        return f"{self._season_ended():%Y-%m}"

    def _season_ended(self) -> datetime:
        """Return the last moment of last season."""
        begun = self._clock.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        return begun - timedelta(microseconds=1)


def _people(page: Standings) -> list[Ranked]:
    return [row for row in page.rows if not row.computer]
