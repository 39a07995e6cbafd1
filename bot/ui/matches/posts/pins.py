"""Pins of running games: where the server wants it, the board of each is pinned in its channel.

Discord announces each pin by a line in the channel; the bot deletes that line.
"""

from dataclasses import replace

import discord
import structlog

from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.closed_threads import unarchiving
from bot.ui.kit.posts.permissions import PINNING, is_voice, missing_permissions, permission_channel
from bot.ui.kit.posts.posting import DISCORD_ERRORS, is_temporary
from db.api.places import DiscordId, Place
from db.api.posts import Post

log = structlog.get_logger()

LINES_SEARCHED = 25
"""The newest messages of a channel, among which the line of a new pin is."""


class Pins:
    """Pins boards, and unpins them when the game ends or the server no longer wants pins."""

    def __init__(self, clients: Clients, services: Services) -> None:
        self._clients = clients
        self._preferences = services.preferences

    async def settle(self, table: Table, post: Post) -> Post:
        """Pin or unpin the board of a match as the server wants it. Return the post as it is then.

        A board that was replaced loses its pin when it is deleted. Raises DISCORD_ERRORS if it may succeed later.
        """
        wanted = not table.match.over and (await self._preferences.server_of(table)).pins
        place = replace(table.stored.place, channel=post.channel)
        guild = None if place.guild is None else self._clients.get_guild(place.guild)
        if wanted == post.pinned or post.message is None or guild is None:
            return post
        channel = permission_channel(guild, place)[0]
        if is_voice(guild.get_channel(channel)) or missing_permissions(guild, channel, PINNING):
            return post
        board = self._clients.channel(place.guild, post.channel).get_partial_message(post.message)
        try:
            await unarchiving(self._clients, place, board.pin if wanted else board.unpin)
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise
            log.info("pin.refused", message=post.message, error=type(error).__name__)
            return post
        await self._delete_line(place, post.message)
        return replace(post, pinned=wanted)

    async def _delete_line(self, place: Place, board: DiscordId) -> None:
        """Delete the line by which Discord announced that a board was pinned.

        A line that is not there yet, or cannot be deleted now, is deleted when the pin changes next.
        """
        try:
            async for line in self._clients.channel(place.guild, place.channel).history(limit=LINES_SEARCHED):
                if line.author == self._clients.user and _announced(line) == board:
                    await line.delete()
        except DISCORD_ERRORS as error:
            log.info("pin.line_not_deleted", channel=place.channel, error=type(error).__name__)


def _announced(line: discord.Message) -> DiscordId | None:
    """Return the message of whose pin a line tells; None for any other message."""
    if line.type is not discord.MessageType.pins_add or line.reference is None:
        return None
    return line.reference.message_id
