"""Boards that stand in a channel although the store knows nothing of them.

Discord has taken such a board, and the process was killed, or its connection cut, before the id of the message was
stored. Within minutes Discord makes one message of two (see `PostTarget.send`). Later, or when the match has changed
meanwhile, the board is looked for in the history of the channel.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import timedelta

import discord

from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.kit.answers.buttons import walk
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.permissions import missing_permissions, permission_channel
from bot.ui.kit.posts.posting import is_temporary
from db.api.matches.matches import Panel
from db.api.places import DiscordId, Place
from db.api.shards import Shards

LOOKED_AT = 100
"""The messages among which a board is looked for: so many from the time when it may have been posted, and so many of
the newest."""
READING = ("view_channel", "read_message_history")
"""The permissions for reading the history of a channel."""
SKEW = timedelta(minutes=1)
"""The difference, at most, between the clock of Discord and that of the machine which stored a move."""
_CONTROL = re.compile(r"(?:more|watch):([0-9]+)")
"""The custom id of a button that every board has, while its match goes on or at its end."""
PICTURE = re.compile(r"-([0-9]+)-([0-9]+)[.]png(?:[?]|$)")
"""The end of the address of a board's picture: its match, and the public plies that it shows."""


class LostBoards:
    """Finds the boards of matches that the store does not know of.

    There can only be one where the store had a position still to be shown when this process took the match over, or
    where posting failed. So the history is read for these matches alone, once.
    """

    def __init__(self, clients: Clients, services: Services) -> None:
        self._clients = clients
        self._store = services.store
        self._ownership = services.ownership
        self._suspected: set[int] = set()
        self._owned: Shards | None = None
        """The shards of which the matches are in `_suspected`."""
        self._reading = asyncio.Lock()

    async def suspected(self) -> set[int]:
        """Return the matches, by id, of which there may be a lost board."""
        async with self._reading:
            owned = self._ownership.owned
            if owned is not self._owned:
                # Another process may have posted boards in the servers of a shard that has just come here.
                self._suspected.update(await self._store.perhaps_posted())
                self._owned = owned
        return set(self._suspected)

    def suspect(self, table: Table) -> None:
        """Note that a board of a match is about to be posted."""
        if table.stored.place.guild is not None:
            self._suspected.add(table.id)

    def clear(self, match: int) -> None:
        """Note that all boards of a match are stored."""
        self._suspected.discard(match)

    async def of(self, table: Table) -> list[Panel]:
        """Return the lost boards of a match, the oldest first. Raises DISCORD_ERRORS if that may succeed later."""
        if table.id not in await self.suspected():
            return []
        before, place = table.stored.panel, table.stored.place
        channels = dict.fromkeys((place.channel, *([] if before is None else [before.channel])))
        found = {}
        for channel in channels:
            async for message in self._messages(Place(place.guild, channel, place.parent), _earliest(table)):
                shown = _shown_by(message, table.id)
                if shown is not None and message.author == self._clients.user:
                    found[message.id] = Panel(channel, message.id, _plies(table, shown))
        return [found[message] for message in sorted(found)]

    async def _messages(self, place: Place, earliest: DiscordId) -> AsyncIterator[discord.Message]:
        """Yield messages with a higher id than `earliest`: the first, and the newest; some may come twice.

        Nothing is found where the bot is not a member or may not read the history.
        """
        guild = None if place.guild is None else self._clients.get_guild(place.guild)
        if guild is None:
            return
        if missing_permissions(guild, permission_channel(guild, place)[0], READING):
            return
        channel = self._clients.channel(place.guild, place.channel)
        after = discord.Object(earliest)
        try:
            first = [message async for message in channel.history(limit=LOOKED_AT, after=after)]
            newest = channel.history(limit=LOOKED_AT, after=after, oldest_first=False)
            rest = [message async for message in newest] if len(first) == LOOKED_AT else []
        except discord.HTTPException as error:
            if is_temporary(error):
                raise
            return
        for message in (*first, *rest):
            yield message


def _earliest(table: Table) -> DiscordId:
    """Return an id that all lost boards of a match exceed: that of its newest known board or of a time."""
    before = table.stored.panel
    if before is None:
        return discord.utils.time_snowflake(table.stored.started_at - SKEW)
    if before.plies == table.plies:
        return before.message  # It was being posted again; the time of that is not stored.
    return max(before.message, discord.utils.time_snowflake(table.stored.times[before.plies] - SKEW))


def _plies(table: Table, shown: int) -> int:
    """Return the number of entries that a lost board shows, of which `shown` are public."""
    before = 0 if table.stored.panel is None else table.stored.panel.plies
    if shown == table.shown:
        return table.plies
    # After a restored backup a board may show more than was played: it counts as the board before.
    return before if shown > table.shown else max(before, table.first_with(shown))


def _shown_by(message: discord.Message, match: int) -> int | None:
    """Return the number of public plies that a message shows if it is a board of this match, with its controls.

    Other than `panel.shown_by`, which reads the buttons for moves, this knows the board of a match that has ended, too.
    """
    parts = list(walk(message.components))
    controls = (_CONTROL.fullmatch(getattr(part, "custom_id", None) or "") for part in parts)
    if not any(found is not None and int(found[1]) == match for found in controls):
        return None
    pictures = (
        PICTURE.search(item.media.url)
        for part in parts
        if isinstance(part, discord.MediaGalleryComponent)
        for item in part.items
    )
    return next((int(found[2]) for found in pictures if found is not None and int(found[1]) == match), None)
