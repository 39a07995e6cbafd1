"""Telling members that it is their turn, each in the way they chose."""

from collections.abc import Iterable, Sequence

import discord
import structlog

from bot.app.matches.table import Table
from bot.app.members.preferences import Preferences
from bot.ui.kit.mentions import board_link, message_link
from bot.ui.kit.posting import DISCORD_ERRORS, Posting
from db.api.clocks import Reminder
from db.api.matches import Panel
from db.api.members import Notice
from db.api.places import DiscordId, Place

log = structlog.get_logger()


class TurnNotices:
    """Calls members once a turn: by the board itself, by a direct message, or not at all."""

    def __init__(self, client: discord.Client, posting: Posting, preferences: Preferences) -> None:
        self._client = client
        self._posting = posting
        self._preferences = preferences

    async def by_notice(self, users: Iterable[DiscordId]) -> dict[Notice, list[DiscordId]]:
        """The users by the way in which they want to be called."""
        found: dict[Notice, list[DiscordId]] = {notice: [] for notice in Notice}
        for user in users:
            found[(await self._preferences.member(user)).notice].append(user)
        return found

    async def write(self, table: Table, panel: Panel, users: Iterable[DiscordId]) -> None:
        """Write to each of `users` that a board waits for them; who cannot be written to is called beside it."""
        place = Place(table.stored.place.guild, panel.channel)
        await self.tell(users, _news(table), place, panel.message)

    async def write_instead(self, table: Table, users: Iterable[DiscordId]) -> None:
        """Write of a board to those of `users` who want to be called, where it cannot be shown yet."""
        panel = table.stored.panel
        ways = await self.by_notice(users)
        where = "" if panel is None else f" {board_link(table.stored.place, panel)}"
        for user in (*ways[Notice.PING], *ways[Notice.DIRECT]):
            await self._send_direct(user, f"{_news(table)} `/board` shows it there.{where}")

    async def tell(self, users: Iterable[DiscordId], news: str, place: Place, message: DiscordId) -> None:
        """Write the news and the way to a message to each of `users`; who cannot be written to is called beside it."""
        words = f"{news} {message_link(place, message)}"
        closed = [user for user in users if not await self._send_direct(user, words)]
        if closed:
            names = " and ".join(f"<@{user}>" for user in closed)
            words = f"{names}: {news} Your direct messages are closed to me, so I call you here."
            await self._call(place, words, closed)

    async def remind(self, table: Table, reminder: Reminder) -> None:
        """Tell a member, in the way they chose, that their time comes to its end."""
        user, panel = table.stored.users[reminder.seat], table.stored.panel
        if panel is None:
            return
        end = discord.utils.format_dt(reminder.deadline, "R")
        words = f"Your time for a move in [{table.name}]({board_link(table.stored.place, panel)}) ends {end}."
        notice = (await self._preferences.member(user)).notice
        directly = notice is Notice.DIRECT or not self._posting.at(table.stored.place).open
        if notice is Notice.NONE or (directly and await self._send_direct(user, words)):
            return
        await self._call(Place(table.stored.place.guild, panel.channel), f"<@{user}> {words}", [user])

    async def _call(self, place: Place, words: str, users: Sequence[DiscordId]) -> None:
        """Call members at a place."""
        outlet = self._posting.at(place)
        if not outlet.open:
            return
        try:
            await outlet.send(content=words, notify=users)
        except DISCORD_ERRORS as error:
            log.warning("nobody called", channel=place.channel, error=type(error).__name__)

    async def _send_direct(self, user: DiscordId, words: str) -> bool:
        """Write to a member; whether it arrived."""
        try:
            channel = await self._client.create_dm(discord.Object(user))
            await channel.send(words, allowed_mentions=discord.AllowedMentions.none())
        except (discord.Forbidden, discord.NotFound):
            return False
        except DISCORD_ERRORS as error:
            log.warning("member not written to", error=type(error).__name__)
            return False
        return True


def _news(table: Table) -> str:
    return f"**{table.name}** is over." if table.match.over else f"It is your turn in **{table.name}**."
