"""The last activity of members and servers in the database."""

from collections.abc import Collection, Sequence
from datetime import date

from sqlalchemy import select, update

from db.api.places import DiscordId
from db.api.shards import EVERY, Shards
from db.models import MemberRow, ServerRow
from db.stores.base import StorePart, within
from db.stores.servers import forget_all

DATED = 5000
"""The most new rows that one transaction dates. There are more only after an update from an earlier version."""


class RetentionPart(StorePart):
    """The queries of db.api.retention."""

    async def note_activity(
        self, users: Collection[DiscordId], guilds: Collection[DiscordId], today: date, look_up_on: date
    ) -> None:
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
        row = MemberRow
        query = select(row.user_id).where(row.active_on < before).order_by(row.active_on).limit(limit)
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def inactive_servers(
        self, before: date, shards: Shards = EVERY, limit: int | None = None
    ) -> Sequence[DiscordId]:
        row = ServerRow
        query = (
            select(row.guild_id)
            .where(row.active_on < before, within(shards, row.guild_id))
            .order_by(row.active_on)
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def accounts_to_look_up(self, today: date, limit: int) -> Sequence[DiscordId]:
        row = MemberRow
        query = select(row.user_id).where(row.look_up_on <= today).order_by(row.look_up_on).limit(limit)
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def look_up_again(self, user: DiscordId, on: date) -> None:
        changing = update(MemberRow).where(MemberRow.user_id == user).values(look_up_on=on)
        async with self._sessions.write() as session:
            await session.execute(changing)

    async def forget_inactive_server(self, guild: DiscordId, before: date) -> bool:
        async with self._sessions.write() as session:
            row = await session.get(ServerRow, guild, with_for_update=True)
            if row is None or row.active_on is None or row.active_on >= before:
                return False
            await forget_all(session, guild)
        return True
