"""Every stored match, in batches, with what is stored because of it."""

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.api.matches.matches import StoredMatch
from db.api.places import DiscordId
from db.models import AwardRow, MatchRow, RatedRow
from db.stores.base import whole_matches

BATCH = 200
"""Matches that are read at a time."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A match with what is stored because of it; `torn` says what its own rows disagree on, if they do."""

    stored: StoredMatch
    awards: frozenset[tuple[DiscordId, str]]
    """The members that it has given achievements, with the keys of those."""
    ranks: tuple[int, ...] | None
    """By seat, if the match has changed ratings."""
    torn: str | None


async def count_matches(session: AsyncSession) -> tuple[int, int]:
    """Return the number of matches and the highest id of one, 0 if there is none."""
    number, highest = (await session.execute(select(func.count(), func.max(MatchRow.id)))).one()
    return number, highest or 0


async def matches_after(session: AsyncSession, match: int, last: int) -> list[Examined]:
    """Return the next matches after the one with this id up to the last, in the order of their ids."""
    some = whole_matches().where(MatchRow.id > match, MatchRow.id <= last)
    rows = (await session.scalars(some.order_by(MatchRow.id).limit(BATCH))).all()
    ids = [row.id for row in rows]
    awards = defaultdict(set)
    for match_id, user, key in await session.execute(
        select(AwardRow.match_id, AwardRow.user_id, AwardRow.key).where(AwardRow.match_id.in_(ids))
    ):
        awards[match_id].add((user, key))
    query = select(RatedRow).where(RatedRow.match_id.in_(ids)).options(selectinload(RatedRow.seats))
    ranks = {row.match_id: tuple(seat.rank for seat in row.seats) for row in await session.scalars(query)}
    return [Examined(row.value(), frozenset(awards[row.id]), ranks.get(row.id), _torn(row)) for row in rows]


def _torn(row: MatchRow) -> str | None:
    """Return what the rows of a match disagree on, or None."""
    if [entry.ply for entry in row.log] != list(range(row.plies)):
        return f"it counts {row.plies} entries, and its log has {len(row.log)} or a gap"
    if [seat.seat for seat in row.seats] != list(range(row.players)):
        return f"it is for {row.players} players, and has {len(row.seats)} seats or a gap"
    if any(seat.finished_at != row.finished_at for seat in row.seats):
        return "its seats say another time of its end than itself"
    if row.finished_at is not None and any(seat.deadline is not None for seat in row.seats):
        return "it is over, and a clock still runs"
    return None
