"""Where a game is played: in the channel where it was made, or in a thread of its own."""

from typing import Literal

import discord
import structlog

from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.kit.permissions import OWN_THREAD, missing_permissions
from bot.ui.kit.posting import DISCORD_ERRORS
from bot.ui.kit.services import Kit
from db.api.places import DiscordId

log = structlog.get_logger()

ARCHIVED_AFTER: Literal[10080] = 10080
"""Minutes without a message, one week, after which Discord folds a thread away; the next board brings it back."""
LONGEST_NAME = 100


class Threads:
    """Opens a thread for each new game where the server wants that and the bot may."""

    def __init__(self, client: discord.Client, services: Services, kit: Kit) -> None:
        self._client = client
        self._store = services.store
        self._preferences = services.preferences
        self._permission_alerts = kit.permission_alerts

    async def move(self, table: Table) -> bool:
        """Give a game that has no board yet a thread; whether it has moved there.

        Where that is not possible it stays, and those who can mend it are told what is missing.
        """
        place = table.stored.place
        if not (await self._preferences.guild(place.guild)).threads:
            return False
        channel = self._client.get_channel(place.channel)
        if not isinstance(channel, discord.TextChannel):
            return False  # A thread holds no threads.
        if missing := missing_permissions(channel.guild, channel.id, OWN_THREAD):
            log.warning(f"no thread for a game: I lack {missing} there", match=table.id, channel=channel.id)
            await self._permission_alerts.alert(place, missing)
            return False
        try:
            thread = await channel.create_thread(
                name=await self._name(table, channel.guild),
                type=discord.ChannelType.public_thread,
                auto_archive_duration=ARCHIVED_AFTER,
            )
        except DISCORD_ERRORS as error:
            log.warning("no thread for a game", match=table.id, error=type(error).__name__)
            return False
        await self._store.move(table.id, thread.id, channel.id)
        return True

    async def _name(self, table: Table, guild: discord.Guild) -> str:
        names = [await self._called(guild, user) for user in table.stored.users]
        return f"{table.name}: {' against '.join(name for name in names if name)}"[:LONGEST_NAME]

    async def _called(self, guild: discord.Guild, user: DiscordId) -> str:
        try:
            return (await guild.fetch_member(user)).display_name
        except DISCORD_ERRORS:
            return "a member who left"
