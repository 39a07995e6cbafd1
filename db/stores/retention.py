"""The last activity of members and servers in the database."""

from collections.abc import Collection, Sequence
from datetime import date

from sqlalchemy import select, update

from db.models import MemberRow, ServerRow
from db.stores.base import StorePart, within
from db.stores.servers import forget_all
from db.values.places import EVERY, DiscordId, Shards

DATED = 5000
"""The most new rows that one transaction dates. There are more only after an update from an earlier version."""


class RetentionStore(StorePart):
    """The last activity of members and servers of which anything is stored."""

    async def note_activity(
        self, users: Collection[DiscordId], guilds: Collection[DiscordId], today: date, look_up_on: date
    ) -> None:
        """Record that these members and servers were active today, and date rows that have no date yet.

        Those of which nothing is stored are ignored. A call dates some thousand rows at most.
        The accounts of these members are next looked up on `look_up_on`.
        """
        member, server = MemberRow, ServerRow
        members = update(member).values(active_on=today, look_up_on=look_up_on)
        servers = update(server).values(active_on=today)
        new_members = select(member.user_id).where(member.active_on.is_(None), member.computer.is_(False))
        new_servers = select(server.guild_id).where(server.active_on.is_(None))
        async with self._sessions.write() as session:
            for changing in (
                members.where(member.user_id.in_(new_members.limit(DATED))),
                members.where(member.user_id.in_(sorted(users)), member.active_on < today),
                servers.where(server.guild_id.in_(new_servers.limit(DATED))),
                servers.where(server.guild_id.in_(sorted(guilds)), server.active_on < today),
            ):
                await session.execute(changing, execution_options={"synchronize_session": False})

    async def inactive_members(self, before: date, limit: int) -> Sequence[DiscordId]:
        """Return members who were last active before a day, the longest ago first."""
        row = MemberRow
        query = select(row.user_id).where(row.active_on < before).order_by(row.active_on).limit(limit)
        return await self._scalars(query)

    async def inactive_servers(
        self, before: date, shards: Shards = EVERY, limit: int | None = None
    ) -> Sequence[DiscordId]:
        """Return servers of some shards in which nobody has been active since a day, the longest ago first."""
        row = ServerRow
        query = (
            select(row.guild_id)
            .where(row.active_on < before, within(shards, row.guild_id))
            .order_by(row.active_on)
            .limit(limit)
        )
        return await self._scalars(query)

    async def accounts_to_look_up(self, today: date, limit: int) -> Sequence[DiscordId]:
        """Return members whose accounts are to be looked up today or were to be before, the longest due first."""
        row = MemberRow
        query = select(row.user_id).where(row.look_up_on <= today).order_by(row.look_up_on).limit(limit)
        return await self._scalars(query)

    async def look_up_again(self, user: DiscordId, on: date) -> None:
        """Record on which day the account of a member is to be looked up next."""
        changing = update(MemberRow).where(MemberRow.user_id == user).values(look_up_on=on)
        await self._write(changing)

    async def forget_server(self, guild: DiscordId, before: date) -> bool:
        """Delete all data of a server in which nobody has been active since a day. Return True if this call did it."""
        async with self._sessions.write() as session:
            row = await session.get(ServerRow, guild, with_for_update=True)
            if row is None or row.active_on is None or row.active_on >= before:
                return False
            await forget_all(session, guild)
        return True
