"""Every stored match, in batches, with what is stored because of it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.models import AwardRow, MatchRow, PlyRow, RatedRow, SeatRow
from db.stores.base import run_at_once
from db.stores.matches.rows import read_matches
from db.values.matches import StoredMatch
from db.values.places import DiscordId

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
    some = select(MatchRow.id).where(MatchRow.id > match, MatchRow.id <= last).order_by(MatchRow.id)
    ids = (await session.scalars(some.limit(BATCH))).all()
    matches = await run_at_once(session, lambda it: read_matches(it, ids))
    torn = await _torn(session, ids)
    awards = defaultdict(set)
    for match_id, user, key in await session.execute(
        select(AwardRow.match_id, AwardRow.user_id, AwardRow.key).where(AwardRow.match_id.in_(ids))
    ):
        awards[match_id].add((user, key))
    query = select(RatedRow).where(RatedRow.match_id.in_(ids)).options(selectinload(RatedRow.seats))
    ranks = {row.match_id: tuple(seat.rank for seat in row.seats) for row in await session.scalars(query)}
    return [Examined(it, frozenset(awards[it.id]), ranks.get(it.id), torn.get(it.id)) for it in matches]


async def _torn(session: AsyncSession, ids: Sequence[int]) -> dict[int, str]:
    """Return what the rows of these matches disagree on, by match."""
    log, seat = PlyRow, SeatRow
    entries = select(log.match_id, func.count(), func.max(log.ply)).where(log.match_id.in_(ids))
    logs = {match: found for match, *found in await session.execute(entries.group_by(log.match_id))}
    theirs = select(seat.match_id, seat.seat, seat.finished_at, seat.deadline)
    seats = defaultdict(list)
    for match, *found in await session.execute(theirs.where(seat.match_id.in_(ids)).order_by(seat.seat)):
        seats[match].append(found)
    torn = {}
    for row in await session.scalars(select(MatchRow).where(MatchRow.id.in_(ids))):
        its = seats[row.id]
        number, last = logs.get(row.id, (0, -1))
        if (number, last) != (row.plies, row.plies - 1):
            torn[row.id] = f"it counts {row.plies} entries, and its log has {number} or a gap"
        elif [place for place, *_ in its] != list(range(row.players)):
            torn[row.id] = f"it is for {row.players} players, and has {len(its)} seats or a gap"
        elif any(finished_at != row.finished_at for _, finished_at, _ in its):
            torn[row.id] = "its seats say another time of its end than itself"
        elif row.finished_at is not None and any(deadline is not None for *_, deadline in its):
            torn[row.id] = "it is over, and a clock still runs"
    return torn
