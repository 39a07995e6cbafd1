"""Rows for the members and servers of which anything is stored.

Whatever stores the first data of a member or server also adds its row, in the same transaction. A round of a background
task dates the row (db.stores.retention). So all data is found once it is old, even if the bot was killed meanwhile.
"""

from collections.abc import Iterable

from sqlalchemy.ext.asyncio import AsyncSession

from db.models import MemberRow, ServerRow
from db.stores.base import inserting
from db.values.members import is_computer
from db.values.places import DiscordId, former


async def add_members(session: AsyncSession, users: Iterable[DiscordId]) -> None:
    """Add a row for each of these members who has none. Computer players and former members are left out."""
    rows = [{"user_id": user} for user in sorted(users) if not is_computer(user) and not former(user)]
    if rows:
        await session.execute(inserting(session, MemberRow).values(rows).on_conflict_do_nothing())


async def add_server(session: AsyncSession, guild: DiscordId | None) -> None:
    """Add a row for a server that has none. None stands for direct messages, which get none."""
    if guild is not None:
        await session.execute(inserting(session, ServerRow).values(guild_id=guild).on_conflict_do_nothing())
