"""Telling members that it is their turn, each in the way that they chose in `/preferences`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import discord
import structlog

from bot.app.matches.table import Table
from bot.app.members.preferences import Preferences
from bot.app.mentions import mention
from bot.ui.kit.content.layout import message as plain_message
from bot.ui.kit.content.mentions import board_link, message_link
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.posting import DISCORD_ERRORS, Posting, is_temporary
from db.api.clocks import Reminder
from db.api.computers import is_computer
from db.api.members.members import Notice
from db.api.places import DiscordId, Place
from db.api.posts import Companion

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

    async def write_instead(self, table: Table, users: Iterable[DiscordId]) -> list[Companion]:
        """Send those of `users` who want a notice a direct message about a board that cannot be shown yet.

        Return these messages.
        """
        panel = table.stored.panel
        users_by_notice = await self.by_notice(users, table)
        link = "" if panel is None else f" {board_link(table.stored.place, panel)}"
        text = f"{news(table)} Use `/board` there to see the board.{link}"
        sent = {}
        for user in (*users_by_notice[Notice.PING], *users_by_notice[Notice.DIRECT]):
            message = await self._send_direct(user, text, f"{once(table)} instead")
            if message is not None:
                sent[user] = message
        return calls(table, sent)

    async def tell(
        self,
        users: Iterable[DiscordId],
        news: str,
        place: Place,
        message: DiscordId,
        once: str | None = None,
        *,
        mark: int = 0,
    ) -> dict[DiscordId, Sent]:
        """Send the news with a link to a message to each of `users`. Return what was sent, by user.

        Those who accept no direct messages are mentioned in the channel of that message. `once` and `mark` are those
        of `mention`.
        """
        sent = {}
        for user in users:
            found = await self._send_direct(user, f"{news} {message_link(place, message)}", once)
            if found is None:
                text = (
                    f"{mention(user)}: {news} Your direct messages are closed to me, so I mention you here."
                )
                found = await self.mention(
                    place, text, user, None if once is None else f"{once} {user}", mark=mark
                )
            if found is not None:
                sent[user] = found
        return sent

    async def remind(self, table: Table, reminder: Reminder) -> list[Companion]:
        """Remind a member, in the way that they chose, that their time is running out. Return this message.

        Doing it again within minutes sends nothing more. Raises DISCORD_ERRORS if it may succeed later.
        """
        user, panel = table.stored.users[reminder.seat], table.stored.panel
        notice = (await self._preferences.member(user)).notice
        if panel is None or notice is Notice.NONE:
            return []
        end = discord.utils.format_dt(reminder.deadline, "R")
        text = f"Your time for a move in [{table.name}]({board_link(table.stored.place, panel)}) ends {end}."
        # Not the deadline, which is put off by a restart.
        name = f"reminder {table.id} {reminder.seat} {table.plies} {table.stored.started_at}"
        open_there = self._posting.at(table.stored.place).open
        directly = notice is Notice.DIRECT or not open_there
        sent = await self._send_direct(user, text, name, strict=not open_there) if directly else None
        if sent is None:
            place = Place(table.stored.place.guild, panel.channel)
            sent = await self.mention(place, f"{mention(user)} {text}", user, name)
        return [] if sent is None else calls(table, {user: sent})

    async def mention(
        self, place: Place, text: str, user: DiscordId, once: str | None = None, *, mark: int = 0
    ) -> Sent | None:
        """Post a text that mentions a user. Return None if Discord refuses it.

        `once` as in PostTarget.send; `mark` as in bot.ui.kit.posts.outbox.marked. Raises DISCORD_ERRORS if it may
        succeed later.
        """
        target = self._posting.at(place)
        if not target.open:
            return None
        view = plain_message(text)
        view.children[0].id = mark or None
        try:
            return Sent(place.channel, await target.send(view=view, notify=[user], once=once))
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise
            log.warning("mention.refused", channel=place.channel, error=type(error).__name__)
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


def once(table: Table) -> str:
    """Return the name of the messages that a board sends to players; see PostTarget.send."""
    return f"call {table.id} {table.shown} {table.stored.started_at}"


def calls(table: Table, sent: Mapping[DiscordId, Sent], proposal: int | None = None) -> list[Companion]:
    """Return the messages that call players to move or to answer a proposal; news of the end are no calls."""
    if table.match.over:
        return []
    seats = ((table.seat_of(user), one) for user, one in sent.items())
    return [Companion(one.channel, one.message, seat, table.plies, proposal) for seat, one in seats]


def news(table: Table) -> str:
    """Return the sentence by which a direct message tells a player of a board."""
    return f"**{table.name}** is over." if table.match.over else f"It is your turn in **{table.name}**."
