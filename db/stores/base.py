"""What every part of the store has."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import Base
from db.sessions import Sessions

HIGHEST = 2**31 - 1
"""The highest id there can be: PostgreSQL takes no question about a higher one."""


class Kept:
    """A part of what the bot keeps. Each public method is one transaction; what it raises, it has stored nothing of.

    An id that was never given out is a LookupError, except where a method answers None for it.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions


def inserting(session: AsyncSession, row: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that may say what happens to a row that is there already."""
    build = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return build(Base.metadata.tables[row.__tablename__])


async def upsert(
    session: AsyncSession, row: type[Base], key: Mapping[str, Any], changes: Mapping[str, Any]
) -> None:
    """Make the row with this primary key, or change just these columns of it: one statement, so nothing races."""
    made = inserting(session, row).values(**key, **changes)
    if changes:
        made = made.on_conflict_do_update(index_elements=list(key), set_=dict(changes))
    else:
        made = made.on_conflict_do_nothing(index_elements=list(key))
    await session.execute(made)
