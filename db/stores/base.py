"""The base of all parts of the store, and what several of them use."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.models import Base, MatchRow
from db.sessions import Sessions

HIGHEST = 2**31 - 1
"""The highest possible id: PostgreSQL refuses queries with a higher one."""


class StorePart:
    """A part of the store: it implements one protocol of db.api, where its methods are described.

    Each public method is one transaction: if it raises, nothing was stored. An id that does not exist is a LookupError,
    unless the method may return None.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions


def whole_matches() -> Select[MatchRow]:
    """Select matches with their seats and logs: three queries for any number of matches.

    Three more, if there are second games of two among them, load the first games.
    """
    first = selectinload(MatchRow.first)
    return select(MatchRow).options(
        selectinload(MatchRow.seats),
        selectinload(MatchRow.log),
        first.selectinload(MatchRow.seats),
        first.selectinload(MatchRow.log),
    )


def inserting(session: AsyncSession, row: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """Return an INSERT that may have an ON CONFLICT clause."""
    build = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return build(Base.metadata.tables[row.__tablename__])


async def upsert(
    session: AsyncSession, row: type[Base], key: Mapping[str, Any], changes: Mapping[str, Any]
) -> None:
    """Insert the row with this primary key or change just these attributes of it, in one statement."""
    values = {row.__mapper__.columns[attribute].name: value for attribute, value in changes.items()}
    made = inserting(session, row).values(**key, **values)
    if changes:
        made = made.on_conflict_do_update(index_elements=list(key), set_=values)
    else:
        made = made.on_conflict_do_nothing(index_elements=list(key))
    await session.execute(made)
