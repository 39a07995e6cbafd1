"""Who stands where: the boards of a game or of all, of a server or of all, of all time, a season or a week."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.app.ports import Clock, Store
from db.values import DiscordId, Era, Mark, Standings, Turn

SHOWN = 10
"""Members on one page."""
PODIUM = 3
"""Places on it; equals share one, so that there may be more members."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which board is wanted: None stands for all games, and for everywhere."""

    game: str | None = None
    guild: DiscordId | None = None
    era: Era = Era.ALWAYS


class Leaderboards:
    """The boards, page by page."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def page(
        self, wanted: Wanted, viewer: DiscordId, turn: Turn = Turn.FIRST, mark: Mark = (0, 0)
    ) -> Standings:
        """A page of a board, shown to `viewer`: with them in the middle, or next to the row at `mark`."""
        now = self._clock.now()
        return await self._store.leaderboard(
            wanted.game, wanted.guild, wanted.era, now, viewer, SHOWN, turn, mark
        )

    async def podium(self, wanted: Wanted, viewer: DiscordId = 0) -> Standings:
        """The best of last season, the calendar month in UTC that has ended; whoever shares a place is there, too."""
        ended = self._season_ended()
        found = await self._store.leaderboard(wanted.game, wanted.guild, Era.SEASON, ended, viewer, SHOWN)
        return replace(found, rows=tuple(row for row in found.rows if row.place <= PODIUM), around=())

    async def podiums_due(self) -> list[DiscordId]:
        """The servers in which last season's podium is still to be announced."""
        return await self._store.podiums_due(f"{self._season_ended():%Y-%m}")

    async def due_podium(self, guild: DiscordId) -> tuple[str, Standings]:
        """Last season, like `2026-10`, and its podium of a server."""
        return f"{self._season_ended():%Y-%m}", await self.podium(Wanted(None, guild))

    async def podium_told(self, guild: DiscordId, season: str) -> None:
        """The podium of a season has been announced there: never again."""
        await self._store.podium_told(guild, season)

    def _season_ended(self) -> datetime:
        """The last moment of last season."""
        begun = self._clock.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        return begun - timedelta(microseconds=1)
