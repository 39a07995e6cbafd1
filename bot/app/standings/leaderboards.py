"""Leaderboards: their pages, and the removal of those that are no longer shown."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.app.system import Clock
from bot.app.tasks.rounds import EndRound, Rounds
from db.store import Store
from db.stores.standings.leaderboards import LeaderboardStore
from db.values.events import TitleKind
from db.values.places import DiscordId
from db.values.posts import PostKind
from db.values.standings import ExpiredLeaderboards, Mark, PageTurn, PeriodKind, Ranked, Standings

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
