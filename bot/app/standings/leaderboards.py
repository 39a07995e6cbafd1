"""Leaderboards: of one game or all games, of one server or global, of all time, a season or a week."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.app.system import Clock
from db.api.places import DiscordId
from db.api.standings.leaderboards import Mark, PageTurn, PeriodKind, Ranked, Standings
from db.api.store import Store

SHOWN = 10
"""Members on one page."""
PODIUM = 3
"""Ranks on the podium; equals share one, so there may be more members."""
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
        """A page of a leaderboard for `viewer`: with them in the middle, or next to the row at `mark`."""
        now = self._clock.now()
        return await self._store.leaderboard(
            query.game, query.guild, query.period_kind, now, viewer, SHOWN, turn, mark
        )

    async def podium(self, query: LeaderboardQuery, viewer: DiscordId = 0) -> Standings:
        """The best of last season, the calendar month in UTC that has ended; equals share a rank.

        A podium is for people. A computer player has a rank on the leaderboard, but here the people below it move up.
        """
        ended = self._season_ended()
        board, game, guild = PeriodKind.SEASON, query.game, query.guild
        found = page = await self._store.leaderboard(game, guild, board, ended, viewer, SHOWN)
        people = _people(page)
        for _ in range(LOOKED_AT - 1):
            if not page.lower or len(people) >= PODIUM:
                break
            mark = page.rows[-1].mark
            page = await self._store.leaderboard(
                game, guild, board, ended, viewer, SHOWN, PageTurn.FORWARD, mark
            )
            people += _people(page)
        scores = [row.mark[0] for row in people]
        placed = [
            replace(row, rank=1 + sum(it > score for it in scores))
            for row, score in zip(people, scores, strict=True)
        ]
        return replace(found, rows=tuple(row for row in placed if row.rank <= PODIUM), around=())

    async def podiums_due(self) -> list[DiscordId]:
        """Return the servers in which last season's podium is to be announced now: none while scores may change."""
        due = await self._store.podiums_due(f"{self._season_ended():%Y-%m}")
        return [] if due and await self._store.recomputing() else due

    async def due_podium(self, guild: DiscordId) -> tuple[str, Standings]:
        """Last season, such as `2026-10`, and a server's podium of it."""
        return f"{self._season_ended():%Y-%m}", await self.podium(LeaderboardQuery(None, guild))

    async def podium_told(self, guild: DiscordId, season: str) -> None:
        """Note that the podium of a season has been announced there."""
        await self._store.podium_told(guild, season)

    def _season_ended(self) -> datetime:
        """The last moment of last season."""
        begun = self._clock.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        return begun - timedelta(microseconds=1)


def _people(page: Standings) -> list[Ranked]:
    return [row for row in page.rows if not row.computer]
