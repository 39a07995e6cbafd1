"""Pins of running games: where the server wants it, the newest board of each is pinned in its channel.

What is to be pinned is stored with the board, and forgotten when it is unpinned, so a stopped process leaves no pin
behind. Discord announces each pin by a line in the channel; the bot deletes that line.
"""

from collections.abc import Collection, Sequence

import discord
import structlog

from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.permissions import PINNING, missing_permissions, permission_channel
from bot.ui.kit.posts.posting import DISCORD_ERRORS, is_temporary
from db.api.matches.pins import Pin
from db.api.places import DiscordId, Place

log = structlog.get_logger()

LINES_SEARCHED = 25
"""The newest messages of a channel, among which the line of a new pin is."""


class Pins:
    """Pins boards, and unpins them when a newer board is posted or the game ends."""

    def __init__(self, clients: Clients, services: Services) -> None:
        self._clients = clients
        self._store = services.store
        self._preferences = services.preferences

    async def wanted(self, table: Table) -> bool:
        """Return True if the newest board of a match is to be pinned."""
        return not table.match.over and (await self._preferences.server_of(table)).pins

    async def unsettled(self) -> Sequence[int]:
        """Return the matches, by id, in which a board is to be pinned or unpinned."""
        return await self._store.unsettled_pins()

    async def settle(self, match: int) -> None:
        """Pin the newest board of a match if that is wanted, and unpin the others. What fails is tried again later.

        The caller holds the lock of the match.
        """
        pins = await self._store.pins(match)
        if not pins or (stored := await self._store.load(match)) is None:
            return
        place = stored.place
        if place.guild is None or (guild := self._clients.get_guild(place.guild)) is None:
            return
        wanted = stored.panel is not None and await self.wanted(Table.of(stored))
        newest = stored.panel.message if stored.panel is not None and wanted else None
        old = [pin for pin in pins if pin.message != newest]
        new = [pin for pin in pins if pin.message == newest and not pin.pinned]
        # Old boards first: a channel has places for few pins.
        forgotten = [pin.message for pin in old if await self._unpin(place, pin)]
        pinned = []
        for pin in new:
            match await self._pin(guild, place, pin):
                case True:
                    pinned.append(pin.message)
                case False:
                    forgotten.append(pin.message)
        if old or pinned:
            await self._delete_lines(place, {pin.channel for pin in pins}, {pin.message for pin in pins})
        # Stored last: a process that is stopped before does all of it again.
        for message in pinned:
            await self._store.pinned(message)
        if forgotten:
            await self._store.forget_pins(forgotten)

    async def _pin(self, guild: discord.Guild, place: Place, pin: Pin) -> bool | None:
        """Pin a board. Returns False if that is impossible, and None if it may succeed later."""
        channel, _ = permission_channel(guild, Place(place.guild, pin.channel, place.parent))
        if missing_permissions(guild, channel, PINNING):
            return False
        try:
            await self._board(place, pin).pin()
        except DISCORD_ERRORS as error:
            log.info("board not pinned", message=pin.message, error=type(error).__name__)
            return None if is_temporary(error) else False
        return True

    async def _unpin(self, place: Place, pin: Pin) -> bool:
        """Unpin a board. Returns False if that may succeed later."""
        try:
            await self._board(place, pin).unpin()
        except DISCORD_ERRORS as error:
            log.info("board not unpinned", message=pin.message, error=type(error).__name__)
            return not is_temporary(error)
        return True

    def _board(self, place: Place, pin: Pin) -> discord.PartialMessage:
        return self._clients.channel(place.guild, pin.channel).get_partial_message(pin.message)

    async def _delete_lines(
        self, place: Place, channels: Collection[DiscordId], boards: Collection[DiscordId]
    ) -> None:
        """Delete the lines by which Discord announced that the bot pinned these boards.

        One that is not there yet, or cannot be deleted now, is deleted when the pin changes next.
        """
        for channel in channels:
            try:
                async for line in self._clients.channel(place.guild, channel).history(limit=LINES_SEARCHED):
                    if line.author == self._clients.user and _announced(line) in boards:
                        await line.delete()
            except DISCORD_ERRORS as error:
                log.info("lines of pins not deleted", channel=channel, error=type(error).__name__)


def _announced(line: discord.Message) -> DiscordId | None:
    """Return the message of whose pin a line tells; None for any other message."""
    if line.type is not discord.MessageType.pins_add or line.reference is None:
        return None
    return line.reference.message_id
