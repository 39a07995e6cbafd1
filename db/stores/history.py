"""Finished matches in the database, page by page.

A page begins where another ended, at a place in an index, so that the thousandth costs as much as the first.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from db.api.history import Page, Search
from db.models import FINISHED, PLAYED, MatchRow, SeatRow
from db.stores.base import Kept
from db.stores.matches import whole

Order = tuple[InstrumentedAttribute[Any], InstrumentedAttribute[Any]]
"""When a match finished and which it is: the order of a history."""


class HistoryStore(Kept):
    """Finished matches, found again."""

    async def finished(
        self, search: Search, limit: int, *, mark: int | None = None, newer: bool = False
    ) -> Page:
        """At most `limit` finished matches, those that finished last first.

        With `mark`, the id of a match, those that come right after it in this order, or (`newer`) right before it. A
        mark that is no finished match begins at the newest.
        """
        async with self._sessions.read() as session:
            place = None if mark is None else await _place(session, mark)
            newer = newer and place is not None
            query, order = _asked(search)
            if place is not None:
                beyond = tuple_(*order) > place if newer else tuple_(*order) < place
                query = query.where(beyond)
            ascending = [column.asc() if newer else column.desc() for column in order]
            ids = list(await session.scalars(query.order_by(*ascending).limit(limit + 1)))
            more, ids = len(ids) > limit, ids[:limit]
            query_whole = whole().where(MatchRow.id.in_(ids))
            found = {row.id: row.value() for row in await session.scalars(query_whole)} if ids else {}
        if newer:
            ids.reverse()
        matches = tuple(found[id_] for id_ in ids)
        behind = place is not None
        return Page(matches, newer=more if newer else behind, older=behind if newer else more)


async def _place(session: AsyncSession, mark: int) -> tuple[datetime, int] | None:
    """Where a finished match stands in the order."""
    query = select(MatchRow.finished_at).where(MatchRow.id == mark)
    at = await session.scalar(query)
    return None if at is None else (at, mark)


def _asked(search: Search) -> tuple[Select[int], Order]:
    """The ids of the matches that are wanted, and the columns that order them."""
    where = (
        and_(MatchRow.guild.is_(None), MatchRow.channel == search.channel)
        if search.guild is None
        else MatchRow.guild == search.guild
    )
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
        query = query.where(_sat(search.opponent))
    if search.game is not None:
        query = query.where(MatchRow.game == search.game)
    return query, order


def _sat(user: int) -> ColumnElement[bool]:
    """Whether somebody has a seat at the same board."""
    other = aliased(SeatRow)
    return select(other.seat).where(other.match_id == SeatRow.match_id, other.user_id == user).exists()
