"""What servers have set, in the database."""

from typing import Unpack

from sqlalchemy import ColumnElement, or_, select, update

from db.api.places import DiscordId
from db.api.servers import ServerChange, ServerSettings
from db.models import PODIUM, GuildRow
from db.stores.base import Kept, upsert


class GuildStore(Kept):
    """The settings of servers."""

    async def server_settings(self, guild: DiscordId) -> ServerSettings:
        """The settings of a server, or the defaults."""
        async with self._sessions.read() as session:
            row = await session.get(GuildRow, guild)
        return ServerSettings(guild) if row is None else row.value()

    async def change_server(self, guild: DiscordId, **changes: Unpack[ServerChange]) -> None:
        """Change these settings of a server and leave the others."""
        async with self._sessions.write() as session:
            await upsert(session, GuildRow, {"guild_id": guild}, changes)

    async def podiums_due(self, season: str) -> list[DiscordId]:
        """The servers that want the podium of this season announced and have not had it yet, by id."""
        query = select(GuildRow.guild_id).where(PODIUM, _not_yet(season)).order_by(GuildRow.guild_id)
        async with self._sessions.read() as session:
            return list(await session.scalars(query))

    async def podium_told(self, guild: DiscordId, season: str) -> None:
        """The podium of this season, and of those before it, has been announced there."""
        telling = (
            update(GuildRow).where(GuildRow.guild_id == guild, _not_yet(season)).values(announced=season)
        )
        async with self._sessions.write() as session:
            await session.execute(telling)


def _not_yet(season: str) -> ColumnElement[bool]:
    return or_(GuildRow.announced.is_(None), GuildRow.announced < season)
