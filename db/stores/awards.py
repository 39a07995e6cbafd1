"""Achievements in the database. What earns one is decided elsewhere."""

from collections.abc import Collection, Sequence

from sqlalchemy import Select, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.api.achievements import Award, Earned
from db.api.matches import StoredMatch
from db.api.places import DiscordId, Place
from db.models import FINISHED, AwardRow, MatchRow
from db.stores.base import Kept
from db.stores.matches import award, whole


class AwardStore(Kept):
    """Who has earned what, and by which match."""

    async def first_awards(self, user: DiscordId, keys: Collection[str]) -> list[Earned]:
        """For each of these achievements that a member has earned, the match by which they did so first."""
        query = _proofs().order_by(AwardRow.earned_at, AwardRow.match_id).limit(1)
        async with self._sessions.read() as session:
            found = []
            for key in keys:  # one place in an index each, however many games they have finished
                found += await _earned(session, query.where(AwardRow.user_id == user, AwardRow.key == key))
        return found

    async def new_awards(self, match: int) -> list[Earned]:
        """What members have earned by a match for the first time."""
        earlier = aliased(AwardRow)
        before = (
            select(earlier.match_id)
            .where(
                earlier.user_id == AwardRow.user_id,
                earlier.key == AwardRow.key,
                tuple_(earlier.earned_at, earlier.match_id) < tuple_(AwardRow.earned_at, AwardRow.match_id),
            )
            .exists()
        )
        query = _proofs().where(AwardRow.match_id == match, ~before).order_by(AwardRow.key, AwardRow.user_id)
        async with self._sessions.read() as session:
            return await _earned(session, query)

    async def finished_after(self, match: int, limit: int) -> list[StoredMatch]:
        """At most `limit` finished matches with higher ids than `after`, in the order of their ids."""
        query = whole().where(FINISHED, MatchRow.id > match).order_by(MatchRow.id).limit(limit)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def award_again(self, match: int, awards: Sequence[Award]) -> None:
        """Let a finished match prove just these achievements; one that was declared void proves none."""
        async with self._sessions.write() as session:
            row = await session.get(MatchRow, match, with_for_update=True)
            if row is None:
                raise LookupError(f"there is no match {match}")
            await session.execute(delete(AwardRow).where(AwardRow.match_id == match))
            if row.finished_at is not None and row.void is None:
                await award(session, match, row.finished_at, awards)


def _proofs() -> Select[AwardRow, MatchRow]:
    return select(AwardRow, MatchRow).join(MatchRow, MatchRow.id == AwardRow.match_id)


async def _earned(session: AsyncSession, query: Select[AwardRow, MatchRow]) -> list[Earned]:
    return [
        Earned(
            row.user_id,
            row.key,
            match.id,
            row.earned_at,
            match.game,
            Place(match.guild, match.channel, match.home),
        )
        for row, match in await session.execute(query)
    ]
