"""Telling members that it is their turn, each in the way that they chose in `/preferences`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import discord
import structlog

from bot.app.matches.table import Table
from bot.app.members.preferences import Preferences
from bot.app.mentions import mention
from bot.ui.kit.content.mentions import board_link, message_link
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.posting import DISCORD_ERRORS, Posting, is_temporary
from db.api.clocks import Reminder
from db.api.computers import is_computer
from db.api.matches.matches import Panel
from db.api.matches.passing_messages import PassingMessage
from db.api.members.members import Notice
from db.api.places import DiscordId, Place

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent, and its channel."""

    channel: DiscordId
    message: DiscordId


class TurnNotices:
    """Notifies members once a turn: by a mention under the board, by a direct message, or not at all."""

    def __init__(self, clients: Clients, posting: Posting, preferences: Preferences) -> None:
        self._clients = clients
        self._posting = posting
        self._preferences = preferences

    async def by_notice(
        self, users: Iterable[DiscordId], table: Table | None = None
    ) -> dict[Notice, list[DiscordId]]:
        """Return the users by their chosen notice; every notice is a key. Computer players are left out.

        With the match that they play, their choices are those that were read with it.
        """
        found: dict[Notice, list[DiscordId]] = {notice: [] for notice in Notice}
        for user in users:
            if is_computer(user):
                continue
            read = None if table is None else table.chosen_by(user)
            found[(read or await self._preferences.member(user)).notice].append(user)
        return found

    async def write(self, table: Table, panel: Panel, users: Iterable[DiscordId]) -> list[PassingMessage]:
        """Tell each of `users` by direct message that a board waits for them. Return these calls."""
        place = Place(table.stored.place.guild, panel.channel)
        return _calls(table, await self.tell(users, _news(table), place, panel.message, _once(table)))

    async def call(self, table: Table, panel: Panel, users: Iterable[DiscordId]) -> list[PassingMessage]:
        """Mention each of `users` below a board that has changed, in a line of their own. Return these calls.

        Raises DISCORD_ERRORS if it may succeed later.
        """
        place = Place(table.stored.place.guild, panel.channel)
        game = f"[{table.name}]({board_link(place, panel)})"
        sent = {}
        for user in users:
            text = f"{mention(user)}, {f'{game} is over' if table.match.over else f'your turn in {game}'}."
            line = await self._mention(place, text, user, f"{_once(table)} {user}", strict=True)
            if line is not None:
                sent[user] = line
        return _calls(table, sent)

    async def write_instead(self, table: Table, users: Iterable[DiscordId]) -> list[PassingMessage]:
        """Tell those of `users` who want a notice about a board that cannot be shown yet, by direct message.

        Return these calls.
        """
        panel = table.stored.panel
        users_by_notice = await self.by_notice(users, table)
        link = "" if panel is None else f" {board_link(table.stored.place, panel)}"
        text = f"{_news(table)} Use `/board` there to see the board.{link}"
        sent = {}
        for user in (*users_by_notice[Notice.PING], *users_by_notice[Notice.DIRECT]):
            message = await self._send_direct(user, text, f"{_once(table)} instead")
            if message is not None:
                sent[user] = message
        return _calls(table, sent)

    async def tell(
        self,
        users: Iterable[DiscordId],
        news: str,
        place: Place,
        message: DiscordId,
        once: str | None = None,
    ) -> dict[DiscordId, Sent]:
        """Send the news with a link to a message to each of `users`. Return what was sent, by user.

        Those who accept no direct messages are mentioned in the channel of that message. `once` as in PostTarget.send.
        """
        sent = {}
        for user in users:
            found = await self._send_direct(user, f"{news} {message_link(place, message)}", once)
            if found is None:
                text = (
                    f"{mention(user)}: {news} Your direct messages are closed to me, so I mention you here."
                )
                found = await self._mention(place, text, user, None if once is None else f"{once} {user}")
            if found is not None:
                sent[user] = found
        return sent

    async def remind(self, table: Table, reminder: Reminder) -> list[PassingMessage]:
        """Remind a member, in the way that they chose, that their time is running out. Return this call.

        Doing it again within minutes sends nothing more. Raises DISCORD_ERRORS if it may succeed later.
        """
        user, panel = table.stored.users[reminder.seat], table.stored.panel
        notice = (await self._preferences.member(user)).notice
        if panel is None or notice is Notice.NONE:
            return []
        end = discord.utils.format_dt(reminder.deadline, "R")
        text = f"Your time for a move in [{table.name}]({board_link(table.stored.place, panel)}) ends {end}."
        # Not the deadline, which is put off by a restart.
        once = f"reminder {table.id} {reminder.seat} {table.plies} {table.stored.started_at}"
        open_there = self._posting.at(table.stored.place).open
        directly = notice is Notice.DIRECT or not open_there
        sent = await self._send_direct(user, text, once, strict=not open_there) if directly else None
        if sent is None:
            place = Place(table.stored.place.guild, panel.channel)
            sent = await self._mention(place, f"{mention(user)} {text}", user, once, strict=True)
        return [] if sent is None else _calls(table, {user: sent})

    async def _mention(
        self, place: Place, text: str, user: DiscordId, once: str | None = None, *, strict: bool = False
    ) -> Sent | None:
        """Post a text that mentions a user. Returns None if that failed; if `strict`, raises what may succeed later."""
        target = self._posting.at(place)
        if not target.open:
            return None
        try:
            return Sent(place.channel, await target.send(content=text, notify=[user], once=once))
        except DISCORD_ERRORS as error:
            if strict and is_temporary(error):
                raise
            log.warning("member not mentioned", channel=place.channel, error=type(error).__name__)
        return None

    async def _send_direct(
        self, user: DiscordId, text: str, once: str | None = None, *, strict: bool = False
    ) -> Sent | None:
        """Send a direct message. Returns None if that failed; if `strict`, raises what may succeed later."""
        try:
            channel = await self._clients.create_dm(user)
            return Sent(channel.id, await self._posting.direct(channel.id).send(content=text, once=once))
        except (discord.Forbidden, discord.NotFound):
            return None
        except DISCORD_ERRORS as error:
            if strict and is_temporary(error):
                raise
            log.warning("direct message not sent", error=type(error).__name__)
            return None


def _once(table: Table) -> str:
    """Return the name of the calls that a board makes; see PostTarget.send."""
    return f"call {table.id} {table.shown} {table.stored.started_at}"


def _calls(table: Table, sent: Mapping[DiscordId, Sent]) -> list[PassingMessage]:
    """Return the messages that call players; news of the end are no calls."""
    if table.match.over:
        return []
    return [
        PassingMessage(table.id, one.channel, one.message, table.plies, seat=table.seat_of(user))
        for user, one in sent.items()
    ]


def _news(table: Table) -> str:
    return f"**{table.name}** is over." if table.match.over else f"It is your turn in **{table.name}**."
