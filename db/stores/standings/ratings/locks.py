"""The locks that protect ratings, for PostgreSQL; on SQLite there is only one writer at a time.

Every change takes its locks in this order: the match and its seats or the member's preferences, the table of ratings,
the players by id, the tallies. Transactions that rate a match share the table. Transactions that revert, recompute,
delete or rebuild ratings have it alone. So only one process at a time runs a chunk of the job that recomputes ratings.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.values.places import DiscordId


async def share_ratings(session: AsyncSession) -> None:
    """Lock the table of ratings together with others who rate: nobody takes ratings back meanwhile."""
    if _on_postgres(session):
        await session.execute(text("LOCK TABLE ratings IN ROW EXCLUSIVE MODE"))


def own_ratings(connection: Connection) -> None:
    """Lock the table of ratings alone: nobody else changes ratings, but everybody can read them as they were."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE ratings IN EXCLUSIVE MODE"))


async def lock_players(session: AsyncSession, users: Sequence[DiscordId]) -> None:
    """Lock the ratings of these users, who must be sorted so that no two transactions wait for each other."""
    if _on_postgres(session):
        for user in users:
            await session.execute(select(func.pg_advisory_xact_lock(user)))


def _on_postgres(session: AsyncSession) -> bool:
    return session.get_bind().dialect.name == "postgresql"
