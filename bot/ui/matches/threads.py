"""Threads for new games and pins of boards, in servers that want them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Literal

import discord
import structlog

from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import persona_name
from bot.app.services import Services
from bot.ui.posts.clients import Clients
from bot.ui.posts.permissions import (
    OWN_THREAD,
    PINNING,
    is_voice,
    missing_permissions,
    permission_channel,
)
from bot.ui.posts.requests import DISCORD_ERRORS, is_temporary, unarchiving
from bot.ui.services import UiServices
from db.values.places import DiscordId, Place
from db.values.posts import Post
from rules.core.notation import joined

log = structlog.get_logger()

ARCHIVED_AFTER: Literal[10080] = 10080
"""Minutes without a message (one week, the longest time) after which Discord archives a thread."""
LONGEST_NAME = 100
"""Characters that Discord allows for the name of a thread."""


class Threads:
    """Opens a thread for each new game where the server wants that and the bot has the permissions."""

    def __init__(self, clients: Clients, services: Services, ui_services: UiServices) -> None:
        self._clients = clients
        self._store = services.store
        self._matches = services.matches
        self._preferences = services.preferences
        self._permission_alerts = ui_services.permission_alerts

    async def keep_open(self, about: Mapping[str, Any]) -> None:
        """Unarchive the thread of a running game if Discord has archived it after inactivity.

        `about` is the payload of the event. A thread that a member has archived stays archived.
        """
        metadata, thread, user = about["thread_metadata"], int(about["id"]), self._clients.user
        if (
            not metadata["archived"]
            or metadata["locked"]
            or user is None
            or int(about["owner_id"]) != user.id
        ):
            return
        last = discord.utils.snowflake_time(int(about.get("last_message_id") or thread))
        inactive = datetime.fromisoformat(metadata["archive_timestamp"]) - last
        if inactive < timedelta(minutes=metadata["auto_archive_duration"]):
            return
        if not await self._store.lists.running_in(thread):
            return
        place = Place(int(about["guild_id"]), thread)
        try:
            found = await self._clients.fetch_thread(place)
            if found is not None and found.archived:
                await found.edit(archived=False)
        except DISCORD_ERRORS as error:
            log.info("thread.not_reopened", thread=thread, error=type(error).__name__)

    async def opened(self, loaded: LoadedMatch) -> LoadedMatch:
        """Open a thread for a game that has no board yet, if the server wants that. Return the game as it is then.

        The second game of two begins in the thread of the first. If a permission is missing, the game stays in its
        channel, and the permission is reported.
        """
        place = loaded.stored.place
        if not (await self._preferences.guild(place.guild)).threads:
            return loaded
        channel = self._clients.get_channel(place.guild, place.channel)
        if not isinstance(channel, discord.TextChannel):
            return loaded  # Discord allows no threads inside threads, and none in voice channels.
        if missing := missing_permissions(channel.guild, channel.id, OWN_THREAD):
            log.warning("thread.not_created", missing=missing, match=loaded.id, channel=channel.id)
            await self._permission_alerts.alert(place, missing)
            return loaded
        kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
        try:
            thread = await channel.create_thread(
                name=await self._name(loaded, channel.guild),
                type=kind,
                auto_archive_duration=ARCHIVED_AFTER,
            )
        except DISCORD_ERRORS as error:
            log.warning("thread.not_created", match=loaded.id, error=type(error).__name__)
            return loaded
        await self._store.matches.move(loaded.id, thread.id, channel.id)
        return await self._matches.load(loaded.id)

    async def _name(self, loaded: LoadedMatch, guild: discord.Guild) -> str:
        names = [await self._member_name(guild, user) for user in loaded.stored.users]
        both = ", two games" if loaded.stored.games > 1 else ""
        return f"{loaded.name}{both}: {' against '.join(names) if len(names) == 2 else joined(names)}"[
            :LONGEST_NAME
        ]

    async def _member_name(self, guild: discord.Guild, user: DiscordId) -> str:
        if (name := persona_name(user)) is not None:
            return f"{name} (computer)"
        try:
            return (await guild.fetch_member(user)).display_name
        except DISCORD_ERRORS:
            return "a member who left"


LINES_SEARCHED = 25
"""The number of newest messages among which the announcement of a pin is searched."""


class Pins:
    """Pins boards, and unpins them when the game ends or the server no longer wants pins."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    async def change(self, loaded: LoadedMatch, post: Post, *, pinned: bool) -> Post:
        """Pin or unpin the board of a match. Return the post as it is then, unchanged if Discord refuses.

        A board that was replaced loses its pin when it is deleted. Raises DISCORD_ERRORS if a retry may succeed.
        """
        place = replace(loaded.stored.place, channel=post.channel)
        guild = self._clients.get_guild(place.guild)
        if post.message is None or guild is None:
            return post
        channel = permission_channel(guild, place)[0]
        if is_voice(guild.get_channel(channel)) or missing_permissions(guild, channel, PINNING):
            return post
        board = self._clients.channel(place.guild, post.channel).get_partial_message(post.message)
        try:
            await unarchiving(self._clients, place, board.pin if pinned else board.unpin)
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise
            log.info("pin.refused", message=post.message, error=type(error).__name__)
            return post
        await self._delete_line(place, post.message)
        return replace(post, pinned=pinned)

    async def _delete_line(self, place: Place, board: DiscordId) -> None:
        """Delete the message by which Discord announced the pin of a board.

        If it is missing or cannot be deleted now, it is deleted when the pin changes next.
        """
        try:
            async for line in self._clients.channel(place.guild, place.channel).history(limit=LINES_SEARCHED):
                if line.author == self._clients.user and _announced(line) == board:
                    await line.delete()
        except DISCORD_ERRORS as error:
            log.info("pin.line_not_deleted", channel=place.channel, error=type(error).__name__)


def _announced(line: discord.Message) -> DiscordId | None:
    """Return the pinned message that a message announces; None for other messages."""
    if line.type is not discord.MessageType.pins_add or line.reference is None:
        return None
    return line.reference.message_id
