"""Telling a server's channel of results how a game ended."""

import aiohttp
import discord
import structlog

from bot.app.preferences import Preferences
from bot.app.table import Table
from bot.entry.links import link
from bot.entry.managers import Managers
from bot.entry.panel import players, result
from db.values import Panel, Place

log = structlog.get_logger()


class Herald:
    """Announces results where the server wants them."""

    def __init__(self, client: discord.Client, preferences: Preferences, managers: Managers) -> None:
        self._client = client
        self._preferences = preferences
        self._managers = managers

    async def tell(self, table: Table, panel: Panel) -> None:
        """Announce the result of a game whose last board has just been posted, once, and calling nobody."""
        place = table.stored.place
        channel = (await self._preferences.guild(place.guild)).results
        if channel is None or channel == panel.channel:
            return
        seen = table.match.observe(None)
        line = f"[{table.name}]({link(place, panel)}), {players(table)}: {result(table, seen)}"
        try:
            await self._client.get_partial_messageable(channel, guild_id=place.guild).send(
                line, allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.Forbidden:
            missing = await self._managers.tell(Place(place.guild, channel), pictures=False)
            log.warning("result not announced", match=table.id, channel=channel, missing=missing)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("result not announced", match=table.id, channel=channel, error=type(error).__name__)
