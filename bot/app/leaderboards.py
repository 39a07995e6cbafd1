"""Who stands where: the boards of a game or of all, of a server or of all, of all time, a season or a week."""

from dataclasses import dataclass

from bot.app.ports import Clock, LeaderboardStore
from db.values import DiscordId, Era, Mark, Standings, Turn

SHOWN = 10
"""Members on one page."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which board is wanted: None stands for all games, and for everywhere."""

    game: str | None = None
    guild: DiscordId | None = None
    era: Era = Era.ALWAYS


class Leaderboards:
    """The boards, page by page."""

    def __init__(self, store: LeaderboardStore, clock: Clock) -> None:
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
