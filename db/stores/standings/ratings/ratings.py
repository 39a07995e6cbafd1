"""The ratings of members: read by member or match, and computed again."""

from collections.abc import Callable
from datetime import datetime
from time import monotonic

from sqlalchemy import select

from db.models import RatedRow, RatingRow
from db.stores.base import StorePart
from db.stores.standings.ratings.rebuild import rebuild, renew
from db.stores.standings.ratings.recompute import job_is_open, recompute
from db.stores.standings.ratings.rows import changes, rated_match, rated_matches
from db.values.places import DiscordId
from db.values.standings import CHUNK, Change, Judge, Rating


class RatingStore(StorePart):
    """The ratings of members."""

    async def of_member(self, user: DiscordId) -> list[Rating]:
        """Return the ratings of a member on all leaderboards, by server, period and game."""
        query = select(RatingRow).where(RatingRow.user_id == user)
        async with self._sessions.read() as session:
            rows = await session.scalars(query.order_by(RatingRow.guild, RatingRow.period, RatingRow.game))
            return [row.value() for row in rows]

    async def changes(self, match: int) -> tuple[Change, ...] | None:
        """Return how a match changed the ratings in its game and server, by seat; None if it changed none."""
        async with self._sessions.read() as session:
            found = (await session.execute(rated_matches().where(RatedRow.match_id == match))).one_or_none()
            if found is None:
                return None
            row, guild = found
            rated = rated_match(row, guild)
            return changes(rated, row.game, guild) if rated.leaderboards else None

    async def recomputing(self) -> bool:
        """Return True while ratings are being recomputed because results were reverted."""
        return await self._sessions.read_at_once(job_is_open)

    async def recompute(self, at: datetime, games: int = CHUNK, now: Callable[[], float] = monotonic) -> bool:
        """Run one chunk of the job that recomputes ratings after reverted results, if there is such a job.

        A chunk is one short transaction of at most `games` matches; `now` returns seconds of a monotonic clock. Call
        this again until it returns False: then all ratings are what they would be without the reverted results.
        Leaderboards that have expired at `at` are not changed.
        """
        if not await self.recomputing():
            return False
        return await self._sessions.write_at_once(lambda it: recompute(it, at, games, now))

    async def rebuild(self, judge: Judge, at: datetime) -> int:
        """Rate all finished matches again, in the order in which they were rated. Return how many count.

        Matches that were never rated come first, in the order in which they ended; they count on global leaderboards if
        their server wants that now. The skills of former members, and the results of matches whose server's data was
        deleted, are taken as stored. Leaderboards that have expired at `at` are not rebuilt.
        """
        async with self._sessions.write(patient=True) as session:
            return await rebuild(session, judge, at)

    async def renew(self, at: datetime) -> int | None:
        """Compute the ratings again from the ranks that are stored, if they were computed by earlier rules.

        Return how many matches count, or None if the rules are the same.
        """
        async with self._sessions.write(patient=True) as session:
            return await renew(session, at)
