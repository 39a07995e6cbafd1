"""What servers have set, in the database."""

from typing import Unpack

from db.models import GuildRow
from db.stores.base import Kept, upsert
from db.values import DiscordId, Guild, GuildChange


class GuildStore(Kept):
    """The settings of servers."""

    async def guild(self, guild: DiscordId) -> Guild:
        """The settings of a server, or the defaults."""
        async with self._sessions.read() as session:
            row = await session.get(GuildRow, guild)
        return Guild(guild) if row is None else row.value()

    async def change_guild(self, guild: DiscordId, **changes: Unpack[GuildChange]) -> None:
        """Change these settings of a server and leave the others."""
        async with self._sessions.write() as session:
            await upsert(session, GuildRow, {"guild_id": guild}, changes)
