"""Telling members that it is their turn, each in the way they chose."""

from collections.abc import Iterable

import aiohttp
import discord
import structlog

from bot.app.preferences import Preferences
from bot.app.table import Table
from bot.entry.links import link
from db.values import DiscordId, Notice, Panel, Reminder

log = structlog.get_logger()


class Caller:
    """Calls members once a turn: by the board itself, by a direct message, or not at all."""

    def __init__(self, client: discord.Client, preferences: Preferences) -> None:
        self._client = client
        self._preferences = preferences

    async def ways(self, users: Iterable[DiscordId]) -> dict[Notice, list[DiscordId]]:
        """The users by the way in which they want to be called."""
        found: dict[Notice, list[DiscordId]] = {notice: [] for notice in Notice}
        for user in users:
            found[(await self._preferences.member(user)).notice].append(user)
        return found

    async def write(self, table: Table, panel: Panel, users: Iterable[DiscordId]) -> None:
        """Write to each of `users` that a board waits for them; who cannot be written to is called beside it."""
        closed = [user for user in users if not await self._write(table, panel, user)]
        if not closed:
            return
        place = table.stored.place
        channel = self._client.get_partial_messageable(panel.channel, guild_id=place.guild)
        names = " and ".join(f"<@{user}>" for user in closed)
        words = f"{names}: {_news(table)} Your direct messages are closed to me, so I call you here."
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user) for user in closed]
        )
        try:
            await channel.send(words, allowed_mentions=mentions)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("nobody called", match=table.id, error=type(error).__name__)

    async def remind(self, table: Table, reminder: Reminder) -> None:
        """Tell a member, in the way they chose, that their time comes to its end."""
        user, panel = table.stored.users[reminder.seat], table.stored.panel
        if panel is None:
            return
        end = discord.utils.format_dt(reminder.deadline, "R")
        words = f"Your time for a move in [{table.name}]({link(table.stored.place, panel)}) ends {end}."
        notice = (await self._preferences.member(user)).notice
        if notice is Notice.NONE or (notice is Notice.DIRECT and await self._send_direct(table, user, words)):
            return
        channel = self._client.get_partial_messageable(panel.channel, guild_id=table.stored.place.guild)
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user)])
        try:
            await channel.send(f"<@{user}> {words}", allowed_mentions=mentions)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("nobody reminded", match=table.id, error=type(error).__name__)

    async def _write(self, table: Table, panel: Panel, user: DiscordId) -> bool:
        return await self._send_direct(table, user, f"{_news(table)} {link(table.stored.place, panel)}")

    async def _send_direct(self, table: Table, user: DiscordId, words: str) -> bool:
        """Write to a member; whether it arrived."""
        try:
            channel = await self._client.create_dm(discord.Object(user))
            await channel.send(words, allowed_mentions=discord.AllowedMentions.none())
        except (discord.Forbidden, discord.NotFound):
            return False
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("member not written to", match=table.id, error=type(error).__name__)
            return False
        return True


def _news(table: Table) -> str:
    return f"**{table.name}** is over." if table.match.over else f"It is your turn in **{table.name}**."
