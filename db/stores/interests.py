"""Members who want to know when somebody looks for opponents."""

from collections.abc import Iterable
from dataclasses import fields
from datetime import date, datetime

from sqlalchemy import delete, insert, or_, select, update

from db.models import InterestRow, InterestServerRow
from db.stores.base import StorePart, add_members, add_server, upsert
from db.values.members import Interest
from db.values.places import DiscordId

COLUMNS = tuple(field.name for field in fields(Interest) if field.name not in ("user", "guilds"))
"""The fields of an interest that are columns of its row."""


class InterestStore(StorePart):
    """The wishes of members to be told of open challenges."""

    async def get(self, user: DiscordId) -> Interest | None:
        """Return the interest of a member, or None."""
        theirs = InterestServerRow.user_id == user
        servers = select(InterestServerRow.guild_id).where(theirs).order_by(InterestServerRow.guild_id)
        async with self._sessions.read() as session:
            row = await session.get(InterestRow, user)
            return None if row is None else _interest(row, await session.scalars(servers))

    async def keep(self, interest: Interest) -> None:
        """Store what a member wishes. When they were told last stays as it is."""
        user, told = interest.user, ("told_at", "told_on", "told")
        wish = {name: getattr(interest, name) for name in COLUMNS if name not in told}
        async with self._sessions.write() as session:
            await add_members(session, [user])
            await upsert(session, InterestRow, {"user_id": user}, wish)
            await session.execute(delete(InterestServerRow).where(InterestServerRow.user_id == user))
            for guild in interest.guilds:
                await add_server(session, guild)
            if rows := [{"user_id": user, "guild_id": guild} for guild in interest.guilds]:
                await session.execute(insert(InterestServerRow), rows)

    async def forget(self, user: DiscordId) -> None:
        """Delete the interest of a member, if there is one."""
        async with self._sessions.write() as session:
            await session.execute(delete(InterestServerRow).where(InterestServerRow.user_id == user))
            await session.execute(delete(InterestRow).where(InterestRow.user_id == user))

    async def of_server(self, guild: DiscordId, limit: int) -> list[Interest]:
        """Return the interests in a server without their servers, the member told the longest ago first."""
        query = (
            select(InterestRow)
            .join(InterestServerRow, InterestServerRow.user_id == InterestRow.user_id)
            .where(InterestServerRow.guild_id == guild)
            .order_by(InterestRow.told_at.is_not(None), InterestRow.told_at, InterestRow.user_id)
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return [_interest(row) for row in await session.scalars(query)]

    async def tell(self, user: DiscordId, day: date, at: datetime) -> bool:
        """Count a notification of a member. Return False if they have had the most of this day already."""
        same, row = InterestRow.told_on == day, InterestRow
        room = row.user_id == user, or_(row.told_on.is_(None), row.told_on != day, row.told < row.most)
        async with self._sessions.write() as session:
            again = update(row).where(*room, same).values(told=row.told + 1, told_at=at)
            if (await session.execute(again.returning(row.user_id))).first() is not None:
                return True
            first = update(row).where(*room, or_(row.told_on.is_(None), row.told_on != day))
            first = first.values(told=1, told_on=day, told_at=at)
            return (await session.execute(first.returning(row.user_id))).first() is not None


def _interest(row: InterestRow, guilds: Iterable[DiscordId] = ()) -> Interest:
    return Interest(row.user_id, guilds=tuple(guilds), **{name: getattr(row, name) for name in COLUMNS})
