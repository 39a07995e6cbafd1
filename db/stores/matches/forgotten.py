"""Matches without a clock that wait for their players for a long time."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, case, func, or_, select

from db.models import RUNNING, ForgottenRow, MatchRow, MemberRow, PlyRow, SeatRow
from db.stores.base import StorePart, upsert
from db.values.matches import ForgottenMatch
from db.values.members import COMPUTER_PLAYERS


class ForgottenStore(StorePart):
    """The matches that wait, and what their players were told."""

    async def due(
        self, bounds: Sequence[datetime], told_by: datetime, now: datetime, limit: int
    ) -> list[ForgottenMatch]:
        """Return matches of the served shards that have reached a stage which was not noted, the longest waiting first.

        Stage 1 is reached if the last entry is older than the first of the `bounds`, and so on. The last stage is
        reached only if the one before was noted by `told_by`. Casual games against computers have no stages. A match
        is not returned while one of its players is away.
        """
        last = (
            select(PlyRow.played_at)
            .where(PlyRow.match_id == MatchRow.id, PlyRow.ply == MatchRow.plies - 1)
            .scalar_subquery()
        )
        since = func.coalesce(last, MatchRow.started_at)
        told = case((ForgottenRow.plies == MatchRow.plies, ForgottenRow.stage), else_=0)
        final = len(bounds)
        warned = and_(told == final - 1, ForgottenRow.told_at <= told_by)
        stages = [(since < bounds[stage - 1], stage) for stage in range(final - 1, 0, -1)]
        stage = case((and_(since < bounds[-1], warned), final), *stages, else_=0)
        people = (
            select(func.count())
            .where(SeatRow.match_id == MatchRow.id, SeatRow.user_id.not_in(COMPUTER_PLAYERS))
            .scalar_subquery()
        )
        absent = (
            select(SeatRow.match_id)
            .join(MemberRow, MemberRow.user_id == SeatRow.user_id)
            .where(SeatRow.match_id == MatchRow.id, MemberRow.absent_until > now)
        )
        query = (
            select(MatchRow.id, MatchRow.plies, since.label("since"), stage.label("stage"))
            .outerjoin(ForgottenRow, ForgottenRow.match_id == MatchRow.id)
            .where(RUNNING, MatchRow.time_control.is_(None), MatchRow.started_at < bounds[0])
            .where(or_(ForgottenRow.match_id.is_(None), ForgottenRow.plies.is_not(None)))
            .where(since < bounds[0], stage > told, or_(MatchRow.rated, people > 1), ~absent.exists())
            .where(self._served(MatchRow.guild))
            .order_by(since, MatchRow.id)
            .limit(limit)
        )
        found = await self._rows(query)
        return [ForgottenMatch(it.id, it.plies, it.since, it.stage) for it in found]

    async def note(self, forgotten: ForgottenMatch, now: datetime) -> None:
        """Note that the players of a match were told of its stage."""
        told = {"plies": forgotten.plies, "stage": forgotten.stage, "told_at": now}
        async with self._sessions.write() as session:
            await upsert(session, ForgottenRow, {"match_id": forgotten.match}, told)
