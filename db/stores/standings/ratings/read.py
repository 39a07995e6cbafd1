"""Ratings, read by member or match."""

from sqlalchemy import select

from db.api.places import DiscordId
from db.api.standings.ratings import Change, Rating
from db.models import RatedRow, RatingRow
from db.stores.base import StorePart
from db.stores.standings.ratings.rows import changes, rated_match, rated_matches


class RatingReadPart(StorePart):
    """The queries of db.api.standings.ratings.RatingStore."""

    async def ratings(self, user: DiscordId) -> list[Rating]:
        query = select(RatingRow).where(RatingRow.user_id == user)
        async with self._sessions.read() as session:
            rows = await session.scalars(query.order_by(RatingRow.guild, RatingRow.period, RatingRow.game))
            return [row.value() for row in rows]

    async def rating_changes(self, match: int) -> tuple[Change, ...] | None:
        async with self._sessions.read() as session:
            found = (await session.execute(rated_matches().where(RatedRow.match_id == match))).one_or_none()
            if found is None:
                return None
            row, guild = found
            rated = rated_match(row, guild)
            return changes(rated, row.game, guild) if rated.leaderboards else None
