"""Finding messages of posts that were sent and not recorded: each carries a mark, the id of its first component."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import NamedTuple

import discord

from bot.ui.components.message_parts import walk
from bot.ui.posts.clients import Clients
from bot.ui.posts.permissions import missing_permissions, permission_channel
from bot.ui.posts.posting import BESIDE, MAIN
from db.values.places import DiscordId, Place
from db.values.posts import Companion, Post

SKEW = timedelta(minutes=1)
"""Largest difference between Discord's clock and the clock of this machine."""
SEARCHED = 100
"""Messages of a channel that are searched: this many after a time, and this many of the newest."""
READING = ("view_channel", "read_message_history")
"""Permissions for reading the history of a channel."""


class Found(NamedTuple):
    """Messages of a post that a search found, the oldest first. `complete` is False if others may exist."""

    complete: bool
    main: Sequence[Companion] = ()
    beside: Sequence[Companion] = ()


class LostMessages:
    """Searches the history of channels."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    async def search(self, post: Post, place: Place) -> Found:
        """Search a channel for messages of a post that are not recorded. Raises DISCORD_ERRORS."""
        guild = None if place.guild is None else self._clients.get_guild(place.guild)
        if guild is None or missing_permissions(guild, permission_channel(guild, place)[0], READING):
            return Found(complete=False)
        since = min(filter(None, (post.tried_at, post.due_at))) - SKEW
        known = {post.message, *(one.message for one in post.companions)}
        found: dict[int, list[Companion]] = {MAIN + post.id: [], BESIDE + post.id: []}
        count = 0
        async for message in self._messages(place, discord.utils.time_snowflake(since)):
            count += 1
            if message.author == self._clients.user and message.id not in known:
                known.add(message.id)
                for part in walk(message.components):
                    if part.id in found:
                        seat = None if part.id == MAIN + post.id else 0
                        found[part.id].append(Companion(place.channel, message.id, seat))
        return Found(count < 2 * SEARCHED, found[MAIN + post.id], found[BESIDE + post.id])

    async def _messages(self, place: Place, after: DiscordId) -> AsyncIterator[discord.Message]:
        """Yield messages of a channel with a higher id than `after`: the first, and the newest; some come twice."""
        channel, since = self._clients.channel(place.guild, place.channel), discord.Object(after)
        first = [message async for message in channel.history(limit=SEARCHED, after=since)]
        newest = channel.history(limit=SEARCHED, after=since, oldest_first=False)
        rest = [message async for message in newest] if len(first) == SEARCHED else []
        for message in (*first, *rest):
            yield message
