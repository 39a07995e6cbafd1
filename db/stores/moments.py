"""Moments of finished games in the database."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Select, and_, select

from db.api.moments import StoredMoment
from db.api.places import DiscordId, former
from db.models import UNSEARCHED, MatchRow, MomentRow, SeatRow
from db.stores.base import HIGHEST, StorePart
from rules.puzzles.moments import Moment

_TWO = 2
"""The players of a match that is searched."""


class MomentPart(StorePart):
    """The queries of db.api.moments."""

    async def to_search(
        self, games: Collection[str], since: datetime, until: datetime, limit: int
    ) -> Sequence[int]:
        left = select(SeatRow.match_id).where(SeatRow.match_id == MatchRow.id, SeatRow.user_id < 0).exists()
        query = (
            select(MatchRow.id)
            .where(
                UNSEARCHED,
                MatchRow.finished_at.between(since, until),
                MatchRow.players == _TWO,
                MatchRow.game.in_(games),
                ~left,
            )
            .order_by(MatchRow.finished_at.desc(), MatchRow.id.desc())
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def keep_moments(self, match: int, moments: Sequence[Moment]) -> None:
        async with self._sessions.write() as session:
            row = await session.get(MatchRow, match, with_for_update=True)
            if row is None or row.searched:
                return
            row.searched = True
            if row.guild is None or row.void is not None:
                return
            # Locked, so that a member whose data is deleted meanwhile is a former member here, or waits.
            seats = select(SeatRow).where(SeatRow.match_id == match).order_by(SeatRow.seat).with_for_update()
            users = {seat.seat: seat.user_id for seat in await session.scalars(seats)}
            session.add_all(
                MomentRow(
                    match_id=match,
                    ply=it.ply,
                    guild=row.guild,
                    seat=it.seat,
                    user_id=users[it.seat],
                    played=it.played,
                    line=it.puzzle.line,
                    value=it.puzzle.value,
                    plies=it.puzzle.plies,
                    worth=it.worth,
                )
                for it in moments
                if not former(users[it.seat])
            )

    async def moment(self, match: int, ply: int) -> StoredMoment | None:
        if max(match, ply) > HIGHEST:
            return None
        found = await self._moments(_moments().where(MomentRow.match_id == match, MomentRow.ply == ply))
        return found[0] if found else None

    async def moments_of(self, match: int) -> list[StoredMoment]:
        return await self._moments(_moments().where(MomentRow.match_id == match).order_by(MomentRow.ply))

    async def newest_moments(self, guild: DiscordId, limit: int) -> list[StoredMoment]:
        query = _moments().where(MomentRow.guild == guild)
        return await self._moments(
            query.order_by(MomentRow.match_id.desc(), MomentRow.ply.desc()).limit(limit)
        )

    async def best_moments(
        self, guild: DiscordId, since: datetime, until: datetime, limit: int
    ) -> list[StoredMoment]:
        when = and_(MatchRow.guild == guild, MatchRow.finished_at >= since, MatchRow.finished_at < until)
        order = MomentRow.worth.desc(), MomentRow.plies.desc(), MomentRow.match_id, MomentRow.ply
        return await self._moments(_moments().where(when).order_by(*order).limit(limit))

    async def _moments(self, query: Select[MomentRow, str]) -> list[StoredMoment]:
        async with self._sessions.read() as session:
            return [_value(row, game) for row, game in (await session.execute(query)).all()]


def _moments() -> Select[MomentRow, str]:
    return select(MomentRow, MatchRow.game).join(MatchRow, MatchRow.id == MomentRow.match_id)


def _value(row: MomentRow, game: str) -> StoredMoment:
    return StoredMoment(
        row.match_id,
        row.ply,
        row.seat,
        row.user_id,
        game,
        row.played,
        row.line,
        row.value,
        row.plies,
        row.worth,
    )
