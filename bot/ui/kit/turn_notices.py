"""Telling members that it is their turn, each in the way that they chose in `/preferences`."""

from collections.abc import Iterable, Sequence

import discord
import structlog

from bot.app.matches.table import Table
from bot.app.members.preferences import Preferences
from bot.app.mentions import mention
from bot.ui.kit.mentions import board_link, message_link
from bot.ui.kit.posting import DISCORD_ERRORS, Posting
from db.api.clocks import Reminder
from db.api.computers import is_computer
from db.api.matches import Panel
from db.api.members import Notice
from db.api.places import DiscordId, Place

log = structlog.get_logger()


class TurnNotices:
    """Notifies members once a turn: by a mention under the board, by a direct message, or not at all."""

    def __init__(self, client: discord.Client, posting: Posting, preferences: Preferences) -> None:
        self._client = client
        self._posting = posting
        self._preferences = preferences

    async def by_notice(self, users: Iterable[DiscordId]) -> dict[Notice, list[DiscordId]]:
        """Return the users by their chosen notice; every notice is a key. Computer players are left out."""
        found: dict[Notice, list[DiscordId]] = {notice: [] for notice in Notice}
        for user in users:
            if is_computer(user):
                continue
            found[(await self._preferences.member(user)).notice].append(user)
        return found

    async def write(self, table: Table, panel: Panel, users: Iterable[DiscordId]) -> None:
        """Tell each of `users` by direct message that a board waits for them."""
        place = Place(table.stored.place.guild, panel.channel)
        await self.tell(users, _news(table), place, panel.message)

    async def write_instead(self, table: Table, users: Iterable[DiscordId]) -> None:
        """Tell those of `users` who want a notice about a board that cannot be shown yet, by direct message."""
        panel = table.stored.panel
        users_by_notice = await self.by_notice(users)
        link = "" if panel is None else f" {board_link(table.stored.place, panel)}"
        for user in (*users_by_notice[Notice.PING], *users_by_notice[Notice.DIRECT]):
            await self._send_direct(user, f"{_news(table)} Use `/board` there to see the board.{link}")

    async def tell(self, users: Iterable[DiscordId], news: str, place: Place, message: DiscordId) -> None:
        """Send the news with a link to a message to each of `users`.

        Those who accept no direct messages are mentioned in the channel of that message.
        """
        text = f"{news} {message_link(place, message)}"
        unreached = [user for user in users if not await self._send_direct(user, text)]
        if unreached:
            names = " and ".join(mention(user) for user in unreached)
            text = f"{names}: {news} Your direct messages are closed to me, so I mention you here."
            await self._mention(place, text, unreached)

    async def remind(self, table: Table, reminder: Reminder) -> None:
        """Remind a member, in the way that they chose, that their time is running out."""
        user, panel = table.stored.users[reminder.seat], table.stored.panel
        if panel is None:
            return
        end = discord.utils.format_dt(reminder.deadline, "R")
        text = f"Your time for a move in [{table.name}]({board_link(table.stored.place, panel)}) ends {end}."
        notice = (await self._preferences.member(user)).notice
        directly = notice is Notice.DIRECT or not self._posting.at(table.stored.place).open
        if notice is Notice.NONE or (directly and await self._send_direct(user, text)):
            return
        await self._mention(Place(table.stored.place.guild, panel.channel), f"{mention(user)} {text}", [user])

    async def _mention(self, place: Place, text: str, users: Sequence[DiscordId]) -> None:
        target = self._posting.at(place)
        if not target.open:
            return
        try:
            await target.send(content=text, notify=users)
        except DISCORD_ERRORS as error:
            log.warning("members not mentioned", channel=place.channel, error=type(error).__name__)

    async def _send_direct(self, user: DiscordId, text: str) -> bool:
        """Send a direct message. Returns True if it arrived."""
        try:
            channel = await self._client.create_dm(discord.Object(user))
            await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
        except (discord.Forbidden, discord.NotFound):
            return False
        except DISCORD_ERRORS as error:
            log.warning("direct message not sent", error=type(error).__name__)
            return False
        return True


def _news(table: Table) -> str:
    return f"**{table.name}** is over." if table.match.over else f"It is your turn in **{table.name}**."
