"""Telling those who run a server what the bot lacks there, since only they can mend it."""

from typing import Any

import aiohttp
import discord
import structlog

from bot.app.alerts import Alerts
from bot.app.errors import Refused
from bot.app.preferences import Preferences
from bot.entry.permissions import OWN_THREAD, lacking, missing, named, posting, ruling
from db.values import Place

log = structlog.get_logger()

NOBODY = discord.AllowedMentions.none()


class Managers:
    """Those who can give the bot a permission: reached in the server's system channel, else by writing to its owner."""

    def __init__(self, client: discord.Client, alerts: Alerts, preferences: Preferences) -> None:
        self._client = client
        self._alerts = alerts
        self._preferences = preferences

    def lacks(self, place: Place, *, pictures: bool = True) -> str:
        """What the bot is known to lack for posting at a place, as Discord names it; "" for nothing."""
        guild = self._guild(place)
        if guild is None:
            return ""
        channel, thread = ruling(guild, place)
        return lacking(guild, channel, posting(thread=thread, pictures=pictures))

    async def tell(self, place: Place, *, pictures: bool = True) -> str:
        """Discord has let the bot post nothing at a place: why, in a few words; it is told to those who can mend it."""
        lacked = self.lacks(place, pictures=pictures)
        if not lacked:
            return f"I need {named(posting(thread=place.parent is not None, pictures=pictures))}"
        await self.alert(place, lacked)
        return f"I lack {lacked}"

    async def check(self, interaction: discord.Interaction[Any], place: Place) -> None:
        """Raises Refused where the boards of a game that begins with this interaction could not be shown at all."""
        if place.guild is None or not interaction.is_guild_integration():
            return
        held = interaction.app_permissions
        lacked = missing(held, posting(thread=place.parent is not None))
        if not lacked or (await self._threads(place) and not missing(held, OWN_THREAD)):
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
        channel, _ = ruling(guild, place)
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
        if channel is None or lacking(guild, channel.id, ("view_channel", "send_messages")):
            return False
        return await _sent(channel, words)

    async def _to_the_owner(self, guild: discord.Guild, words: str) -> bool:
        if guild.owner_id is None:
            return False
        try:
            channel = await self._client.create_dm(discord.Object(guild.owner_id))
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return False
        return await _sent(channel, f"**{discord.utils.escape_markdown(guild.name)}**: {words}")


async def _sent(channel: discord.abc.Messageable, words: str) -> bool:
    try:
        await channel.send(words, allowed_mentions=NOBODY)
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        return False
    return True
