"""The history in the database, page by page.

A page begins where another ended, at a position in an index, so that the thousandth costs as much as the first.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from db.models import FINISHED, PLAYED, MatchRow, SeatRow
from db.stores.base import StorePart, run_at_once
from db.stores.matches.rows import read_matches
from db.values.matches import FinishedMatch, Page, Search, StoredMatch

Order = tuple[InstrumentedAttribute[Any], InstrumentedAttribute[Any]]
"""The columns that order a history: when a match finished, then its id."""


class HistoryStore(StorePart):
    """Finished matches, found again."""

    async def page(self, search: Search, limit: int, *, mark: int | None = None, newer: bool = False) -> Page:
        """Return at most `limit` finished matches, those that finished last first.

        With `mark`, the id of a match, the page begins right after that match, or with `newer` ends right before it.
        """
        async with self._sessions.read() as session:
            position = None if mark is None else await _position(session, search, mark)
            newer = newer and position is not None
            query, order = _query(search)
            if position is not None:
                beyond = tuple_(*order) > position if newer else tuple_(*order) < position
                query = query.where(beyond)
            ascending = [column.asc() if newer else column.desc() for column in order]
            ids = list(await session.scalars(query.order_by(*ascending).limit(limit + 1)))
            more, ids = len(ids) > limit, ids[:limit]
            if newer:
                ids.reverse()
            matches = tuple(await run_at_once(session, lambda it: read_matches(it, ids)))
        behind = position is not None
        return Page(matches, newer=more if newer else behind, older=behind if newer else more)

    async def last(self, search: Search, limit: int) -> list[FinishedMatch]:
        """Return at most `limit` finished matches, those that finished last first. Their logs are not read."""
        query, order = _query(search)
        ids = query.order_by(*(column.desc() for column in order)).limit(limit)
        async with self._sessions.read() as session:
            wanted = list(await session.scalars(ids))
            rows = await session.execute(
                select(MatchRow.id, MatchRow.game, MatchRow.finished_at, SeatRow.user_id, SeatRow.outcome)
                .join(SeatRow, SeatRow.match_id == MatchRow.id)
                .where(MatchRow.id.in_(wanted))
                .order_by(SeatRow.seat)
            )
            seats = defaultdict(list)
            for row in rows:
                seats[row.id].append(row)
        return [_finished(seats[match]) for match in wanted]

    async def after(self, match: int, limit: int) -> list[StoredMatch]:
        """Return at most `limit` finished matches of all places with higher ids than `match`, in the order of ids."""
        query = select(MatchRow.id).where(FINISHED, MatchRow.id > match).order_by(MatchRow.id).limit(limit)
        return await self._sessions.read_at_once(lambda it: read_matches(it, it.scalars(query).all()))


def _finished(seats: Sequence[Any]) -> FinishedMatch:
    """Return a match from its rows, one for each seat."""
    first = seats[0]
    outcomes = tuple(row.outcome for row in seats if row.outcome is not None)
    return FinishedMatch(
        first.id, first.game, first.finished_at, tuple(row.user_id for row in seats), outcomes or None
    )


async def _position(session: AsyncSession, search: Search, mark: int) -> tuple[datetime, int] | None:
    """Return the position of a finished match at the place of a search in the order, or None."""
    query = select(MatchRow.finished_at).where(MatchRow.id == mark, _place(search))
    at = await session.scalar(query)
    return None if at is None else (at, mark)


def _place(search: Search) -> ColumnElement[bool]:
    if search.guild is None:
        return and_(MatchRow.guild.is_(None), MatchRow.channel == search.channel)
    return MatchRow.guild == search.guild


def _query(search: Search) -> tuple[Select[int], Order]:
    """Return the query for the ids of the matches that are searched for, and the columns that order them."""
    where = _place(search)
    if search.member is None:
        query = select(MatchRow.id).where(FINISHED, where)
        order: Order = (MatchRow.finished_at, MatchRow.id)
    else:
        query = (
            select(SeatRow.match_id)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(PLAYED, SeatRow.user_id == search.member, where)
        )
        order = (SeatRow.finished_at, SeatRow.match_id)
    if search.outcome is not None:
        query = query.where(SeatRow.outcome == search.outcome)
    if search.opponent is not None:
        query = query.where(_played(search.opponent))
    if search.game is not None:
        query = query.where(MatchRow.game == search.game)
    return query, order


def _played(user: int) -> ColumnElement[bool]:
    """True if this user has a seat in the same match."""
    other = aliased(SeatRow)
    return select(other.seat).where(other.match_id == SeatRow.match_id, other.user_id == user).exists()
