"""Posts in servers that are made once: one for each server and day, over restarts, kills and outages."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

import aiohttp
import discord
import structlog
from discord import ui

from bot.app.members.preferences import Preferences
from bot.app.puzzles.posts import PostLedger
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.permissions import missing_permissions
from bot.ui.kit.posts.posting import DISCORD_ERRORS, is_temporary
from bot.ui.kit.services import Kit
from db.api.places import DiscordId, Place
from db.api.puzzle_posts import PuzzlePost

log = structlog.get_logger()

BETWEEN_TRIES = timedelta(minutes=10)
"""The time until a channel that refused the post is tried again, unless its permissions change before."""
MOST_FAILURES = 2
"""Servers in which posting fails before the others wait, since Discord then fails everywhere."""
LOOKED_AT = 200
"""The newest messages of a channel among which a doubtful post is looked for."""

Content = Callable[[Place], Awaitable[tuple[ui.LayoutView, discord.File] | None]]
"""Returns the message for a place, with its picture; None if there is nothing to post there."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of post: its name in the log and in nonces, what a channel is needed for, and the heading of a day's."""

    name: str
    purpose: str
    heading: Callable[[date], str]


class Found(NamedTuple):
    """The result of looking for a post: `known` is False if it may be there unseen; its message, if it was found."""

    known: bool
    message: DiscordId | None = None


Find = Callable[[discord.Guild, PuzzlePost, str], Awaitable[Found]]
"""Looks for a doubtful post with a heading in its channel."""


class OncePoster:
    """Posts one message for each server and day.

    A post is stored before it is sent. Where it is not known to be there, since a process ended or Discord could not be
    reached, it is sent again within two minutes of the first try: Discord then makes one message of two (see
    `bot.ui.kit.posts.posting`). Later it is looked for first; where the bot may not read the channel, it counts as
    sent, since none is better than two.
    """

    def __init__(
        self,
        clients: Clients,
        preferences: Preferences,
        kit: Kit,
        ledger: PostLedger,
        kind: Kind,
        find: Find | None = None,
    ) -> None:
        self._clients = clients
        self._find = find or find_post
        self._preferences = preferences
        self._kit = kit
        self._ledger = ledger
        self._kind = kind
        self._refused: dict[DiscordId, tuple[date, Place, str, datetime]] = {}
        """By server that refused the post: the day, the place, the permissions that were missing, and when."""

    async def post_all(self, guilds: Iterable[DiscordId], day: date, content: Content) -> None:
        """Post what is due in these servers, in the channel of puzzles that each chose."""
        failures = 0
        for guild in guilds:
            server = self._clients.get_guild(guild)
            if server is None:
                continue
            try:
                await self._post(server, day, content)
            except DISCORD_ERRORS as error:
                log.warning(f"{self._kind.name} not posted yet", guild=guild, error=type(error).__name__)
                failures += 1
            if failures == MOST_FAILURES:
                return  # A later round comes soon, while what was sent now can still be sent again.

    async def _post(self, server: discord.Guild, day: date, content: Content) -> None:
        """Post the message of a day in the channel that a server chose, unless it is there already.

        Raises DISCORD_ERRORS if it may succeed later.
        """
        before = await self._ledger.post(server.id, day)
        channel = (await self._preferences.guild(server.id)).puzzle_channel
        doubt = before if before is not None and before.tried_at is not None else None
        if doubt is not None and not (doubt.channel == channel and self._ledger.fresh(doubt)):
            found = await self._find(server, doubt, self._kind.heading(day))
            if found.message is not None or not found.known:
                log.info(f"{self._kind.name} was posted", guild=server.id, found=found.message is not None)
                await self._ledger.sent(doubt, found.message)
                return
            doubt = None
        if channel is not None:
            await self._send(Place(server.id, channel), day, content, doubt)

    async def _send(self, place: Place, day: date, content: Content, doubt: PuzzlePost | None) -> None:
        """Send a post. `doubt` is an earlier try, of which Discord makes one message with this one."""
        assert place.guild is not None
        missing = self._kit.permission_alerts.missing_at(place)
        if self._waits(place, day, missing):
            return
        if missing:
            await self._refuse(place, day, missing)
            return
        made = await content(place)
        if made is None:
            return
        view, file = made
        post = await self._ledger.sending(place.guild, day, place.channel, doubt)
        try:
            message = await self._kit.posting.at(place).send(
                view=view, file=file, once=f"{self._kind.name} {day} {place.guild}"
            )
        except DISCORD_ERRORS as error:
            if isinstance(error, aiohttp.ClientConnectorError) or not is_temporary(error):
                await self._ledger.not_sent(post, doubt)
            if is_temporary(error):
                raise
            log.warning(f"{self._kind.name} not posted", guild=place.guild, error=type(error).__name__)
            await self._refuse(place, day, missing)
            return
        self._refused.pop(place.guild, None)
        await self._ledger.sent(post, message)
        log.info(f"{self._kind.name} posted", guild=place.guild, day=str(day))

    def _waits(self, place: Place, day: date, missing: str) -> bool:
        """True if a channel refused the post, nothing has changed there since, and it is too early to try again."""
        assert place.guild is not None
        refusal = self._refused.get(place.guild)
        if refusal is None or refusal[:3] != (day, place, missing):
            return False
        return bool(missing) or self._ledger.now - refusal[3] < BETWEEN_TRIES

    async def _refuse(self, place: Place, day: date, missing: str) -> None:
        """Tell the server once a day what is missing, and wait."""
        assert place.guild is not None
        self._refused[place.guild] = (day, place, missing, self._ledger.now)
        await self._kit.permission_alerts.report(place, purpose=self._kind.purpose)


async def find_post(server: discord.Guild, post: PuzzlePost, heading: str) -> Found:
    """Look for a doubtful post with this heading in its channel. Raises DISCORD_ERRORS."""
    assert post.tried_at is not None
    channel = server.get_channel(post.channel)
    if not isinstance(channel, discord.TextChannel):
        return Found(known=True)  # The channel is gone, and the post with it.
    if missing_permissions(server, channel.id, ("view_channel", "read_message_history")):
        return Found(known=False)
    seen = 0
    async for message in channel.history(limit=LOOKED_AT):
        seen += 1
        if message.author == server.me and _says(message, heading):
            return Found(True, message.id)
        if message.created_at < post.tried_at - timedelta(minutes=5):
            return Found(known=True)
    return Found(known=seen < LOOKED_AT)


def _says(message: discord.Message, words: str) -> bool:
    """True if a message begins with these words."""
    parts = [part for part in message.components if isinstance(part, discord.Container)]
    texts = [text for part in parts for text in part.children if isinstance(text, discord.TextDisplay)]
    return any(text.content.startswith(words) for text in texts)
