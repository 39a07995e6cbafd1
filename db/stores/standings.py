"""Results, counted by the database."""

from sqlalchemy import func, select

from db.models import FINISHED, MatchRow, SeatRow
from db.stores.base import Kept
from db.values import DiscordId, Outcome, Standing


class StandingStore(Kept):
    """Who won how often."""

    async def standings(self, guild: DiscordId, game: str | None, limit: int) -> list[Standing]:
        """Who won most in a server: by wins, draws, fewer losses, then id; `game` None means all games.

        Former members are left out: each match knows one by another number.
        """
        won, drawn, lost = (func.count().filter(SeatRow.outcome == outcome) for outcome in Outcome)
        query = (
            select(SeatRow.user_id, won, drawn, lost)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(FINISHED, MatchRow.guild == guild, SeatRow.outcome.is_not(None), SeatRow.user_id > 0)
            .group_by(SeatRow.user_id)
            .order_by(won.desc(), drawn.desc(), lost, SeatRow.user_id)
            .limit(limit)
        )
        if game is not None:
            query = query.where(MatchRow.game == game)
        async with self._sessions.read() as session:
            return [Standing(*row) for row in await session.execute(query)]
