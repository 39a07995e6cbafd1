"""Naming the permissions that the bot lacks to whoever can grant them."""

from collections.abc import Iterable
from typing import Any

import discord
import structlog

from bot.app.errors import Refused
from bot.app.members.preferences import Preferences
from bot.app.servers import Alerts
from bot.ui.kit.posting import DISCORD_ERRORS
from db.api.places import DiscordId, Place

OWN_THREAD = ("view_channel", "create_public_threads", "send_messages_in_threads", "attach_files")
"""What a game needs in a channel to be played in a thread of its own."""


def posting_permissions(*, thread: bool, pictures: bool = True) -> tuple[str, ...]:
    """What posting in a channel or in a thread needs: a board with its picture, or a message without."""
    sending = "send_messages_in_threads" if thread else "send_messages"
    return ("view_channel", sending, "attach_files") if pictures else ("view_channel", sending)


def permission_channel(guild: discord.Guild, place: Place) -> tuple[DiscordId, bool]:
    """The channel whose permissions rule at a place, and whether the place is a thread of it."""
    found = guild.get_thread(place.channel)
    parent = place.parent or (found.parent_id if found else None)
    return parent or place.channel, parent is not None


def missing_permissions(guild: discord.Guild, channel: DiscordId, names: Iterable[str]) -> str:
    """Those of these permissions that the bot lacks in a channel, as Discord's settings name them; "" for none."""
    found = guild.get_channel(channel)
    if found is None:
        return permission_list(["view_channel"])
    # What is granted, one by one: discord.py's own sums leave out what is of no use without another permission.
    return not_held(discord.abc.GuildChannel.permissions_for(found, guild.me), names)


def not_held(held: discord.Permissions, names: Iterable[str]) -> str:
    """Those of these permissions that are not held, as Discord names them; "" for none, as an administrator has it."""
    return "" if held.administrator else permission_list(name for name in names if not getattr(held, name))


def permission_list(permissions: Iterable[str]) -> str:
    """Permissions as people read them: `View Channel and Send Messages`."""
    words = [name.replace("_", " ").title().replace(" In ", " in ") for name in permissions]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


log = structlog.get_logger()

NOBODY = discord.AllowedMentions.none()


class PermissionAlerts:
    """Those who can give the bot a permission: reached in the server's system channel, else by writing to its owner."""

    def __init__(self, client: discord.Client, alerts: Alerts, preferences: Preferences) -> None:
        self._client = client
        self._alerts = alerts
        self._preferences = preferences

    def missing_at(self, place: Place, *, pictures: bool = True) -> str:
        """What the bot is known to lack for posting at a place, as Discord names it; "" for nothing."""
        guild = self._guild(place)
        if guild is None:
            return ""
        channel, thread = permission_channel(guild, place)
        return missing_permissions(guild, channel, posting_permissions(thread=thread, pictures=pictures))

    async def report(self, place: Place, *, pictures: bool = True) -> str:
        """Discord has let the bot post nothing at a place: why, in a few words; it is told to those who can mend it."""
        lacked = self.missing_at(place, pictures=pictures)
        if not lacked:
            return f"I need {permission_list(posting_permissions(thread=place.parent is not None, pictures=pictures))}"
        await self.alert(place, lacked)
        return f"I lack {lacked}"

    async def check(self, interaction: discord.Interaction[Any], place: Place) -> None:
        """Raises Refused where the boards of a game that begins with this interaction could not be shown at all."""
        if place.guild is None or not interaction.is_guild_integration():
            return
        held = interaction.app_permissions
        lacked = not_held(held, posting_permissions(thread=place.parent is not None))
        if not lacked or (await self._threads(place) and not not_held(held, OWN_THREAD)):
            return
        await self.alert(place, lacked)
        raise Refused(
            f"I could not show the boards of a game here: I lack {lacked}. "
            "Whoever runs this server can give me that, or you play in another channel."
        )

    async def _threads(self, place: Place) -> bool:
        """Whether a game begun at a place gets a thread of its own."""
        return place.parent is None and (await self._preferences.guild(place.guild)).threads

    async def alert(self, place: Place, lacked: str) -> None:
        """Tell those who can mend it what is missing at a place, unless they have been told lately."""
        guild = self._guild(place)
        if guild is None:
            return
        channel, _ = permission_channel(guild, place)
        if not await self._alerts.due(guild.id, channel):
            return
        log.warning("permission missing", guild=guild.id, channel=channel, lacked=lacked)
        words = (
            f"In <#{channel}> I lack {lacked}, which I need there for games. Whoever may change that channel's "
            "permissions can mend it; `/settings` shows what else is missing. I say this at most once a day."
        )
        if await self._in_system_channel(guild, words) or await self._to_the_owner(guild, words):
            return
        log.warning("nobody to tell of the missing permission", guild=guild.id, channel=channel)

    def _guild(self, place: Place) -> discord.Guild | None:
        return None if place.guild is None else self._client.get_guild(place.guild)

    async def _in_system_channel(self, guild: discord.Guild, words: str) -> bool:
        channel = guild.system_channel
        if channel is None or missing_permissions(guild, channel.id, ("view_channel", "send_messages")):
            return False
        return await _sent(channel, words)

    async def _to_the_owner(self, guild: discord.Guild, words: str) -> bool:
        if guild.owner_id is None:
            return False
        try:
            channel = await self._client.create_dm(discord.Object(guild.owner_id))
        except DISCORD_ERRORS:
            return False
        return await _sent(channel, f"**{discord.utils.escape_markdown(guild.name)}**: {words}")


async def _sent(channel: discord.abc.Messageable, words: str) -> bool:
    try:
        await channel.send(words, allowed_mentions=NOBODY)
    except DISCORD_ERRORS:
        return False
    return True
