"""How something is posted where a game is played: by the bot itself or, where the bot is not, through what a member
does there.

In direct messages among members, and in a server where members brought it along for themselves, the bot may only
answer: with a few messages to each interaction, which it may edit for fifteen minutes. What has to be shown there waits
for the next member who acts.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol

import aiohttp
import discord
import structlog
from discord import ui

from db.api.places import DiscordId, Place

log = structlog.get_logger()

Interaction = discord.Interaction[Any]

DISCORD_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What Discord raises when it does not take a message."""
MOST_MESSAGES = 4
"""Messages through one interaction: Discord takes five, and one is for the member who acts."""


class PostTarget(Protocol):
    """A way to post at one place."""

    @property
    def open(self) -> bool:
        """Whether anything can be sent now."""

    async def send(
        self, *, notify: Iterable[DiscordId] = (), once: str | None = None, **parts: Any
    ) -> DiscordId:
        """Post a message that calls these users; its id. `parts` are those of discord.py: content, view, file.

        Where the bot is, what was sent as the same `once` minutes ago is found, and not posted again: whoever sent it
        may not have heard that it arrived, or was stopped before it could be noted. Raises Discord's errors.
        """

    async def edit(self, message: DiscordId, view: ui.LayoutView) -> bool:
        """Make a message another one; whether that is settled, done or not to be done by trying again either.

        It is mostly a courtesy: what is stale is refused anyway.
        """


@dataclass(slots=True)
class Acting:
    """A member's interaction while it is answered. `thinking` holds until a command's answer has got a text."""

    interaction: Interaction
    thinking: bool
    sent: int = 0
    edited: set[DiscordId] = field(default_factory=set)


_acting: ContextVar[Acting | None] = ContextVar("acting", default=None)


class Posting:
    """Knows how to post at any place."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._tokens: dict[DiscordId, Interaction] = {}
        """By message: the interaction by which it can still be edited."""

    def reaches(self, place: Place) -> bool:
        """Whether the bot itself is at a place."""
        return place.guild is not None and self._client.get_guild(place.guild) is not None

    def at(self, place: Place) -> PostTarget:
        """How to post there now."""
        if self.reaches(place):
            return _Own(self._client, place)
        acting = _acting.get()
        here = acting is not None and acting.interaction.channel_id == place.channel
        return _Answers(self._tokens, acting if here else None)

    @contextmanager
    def through(self, interaction: Interaction, *, thinking: bool) -> Iterator[None]:
        """Meanwhile the interaction is what can be posted by where it happened."""
        message, channel = interaction.message, interaction.channel_id
        if message is not None and channel is not None and not message.flags.ephemeral:
            self.remember(Place(interaction.guild_id, channel), message.id, interaction)
        token = _acting.set(Acting(interaction, thinking))
        try:
            yield
        finally:
            _acting.reset(token)

    def untouched(self, message: DiscordId) -> bool:
        """Whether the interaction that is being answered has not changed this message."""
        acting = _acting.get()
        return acting is not None and message not in acting.edited

    def remember(self, place: Place, message: DiscordId, interaction: Interaction) -> None:
        """A message can be edited by this interaction, as long as that lives; where the bot is it needs none."""
        if not self.reaches(place):
            _remember(self._tokens, message, interaction)


class _Own:
    """The bot's own way."""

    open = True

    def __init__(self, client: discord.Client, place: Place) -> None:
        self._channel = client.get_partial_messageable(place.channel, guild_id=place.guild)

    async def send(
        self, *, notify: Iterable[DiscordId] = (), once: str | None = None, **parts: Any
    ) -> DiscordId:
        if once is not None:
            parts["nonce"] = _nonce(self._channel.id, once)
        message = await self._channel.send(allowed_mentions=only_mentioning(notify), **parts)
        return message.id

    async def edit(self, message: DiscordId, view: ui.LayoutView) -> bool:
        try:
            await self._channel.get_partial_message(message).edit(
                view=view, allowed_mentions=only_mentioning()
            )
        except DISCORD_ERRORS as error:
            log.info("message left as it was", message=message, error=type(error).__name__)
            return not is_temporary(error)
        return True


class _Answers:
    """Through the interaction of a member who acts there, and for edits those of members who did."""

    def __init__(self, tokens: dict[DiscordId, Interaction], acting: Acting | None) -> None:
        self._tokens = tokens
        self._acting = acting

    @property
    def open(self) -> bool:
        return self._acting is not None and self._acting.sent < MOST_MESSAGES

    async def send(
        self, *, notify: Iterable[DiscordId] = (), once: str | None = None, **parts: Any
    ) -> DiscordId:
        acting = self._acting
        assert acting is not None
        if acting.thinking:
            # The first message after a deferred answer becomes that answer, which is private.
            await acting.interaction.edit_original_response(content="One moment.")
            acting.thinking = False
        acting.sent += 1
        message = await acting.interaction.followup.send(
            wait=True, ephemeral=False, allowed_mentions=only_mentioning(notify), **parts
        )
        _remember(self._tokens, message.id, acting.interaction)
        return message.id

    async def edit(self, message: DiscordId, view: ui.LayoutView) -> bool:
        acting, by = self._acting, self._tokens.get(message)
        if acting is not None and _pressed(acting.interaction, message):
            acting.edited.add(message)
            by = acting.interaction
        if by is None or by.is_expired():
            return True
        try:
            if _pressed(by, message):
                await by.edit_original_response(view=view, allowed_mentions=only_mentioning())
            else:
                await by.followup.edit_message(message, view=view, allowed_mentions=only_mentioning())
        except DISCORD_ERRORS as error:
            log.info("message left as it was", message=message, error=type(error).__name__)
            return not is_temporary(error)
        return True


def is_temporary(error: BaseException) -> bool:
    """Whether Discord may take later what it has not taken now."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


def only_mentioning(users: Iterable[DiscordId] = ()) -> discord.AllowedMentions:
    """Calls these users and nobody else, whoever is named."""
    return discord.AllowedMentions(
        everyone=False, roles=False, users=[discord.Object(user) for user in users]
    )


def _nonce(channel: DiscordId, what: str) -> str:
    """What Discord knows a message by: a number like any other, since everybody in the channel is sent it."""
    digest = sha256(f"{channel} {what}".encode()).digest()
    return f"{int.from_bytes(digest[:8]) % 10**18:018}"


def _pressed(interaction: Interaction, message: DiscordId) -> bool:
    return interaction.message is not None and interaction.message.id == message


def _remember(tokens: dict[DiscordId, Interaction], message: DiscordId, interaction: Interaction) -> None:
    for old in [old for old, by in tokens.items() if by.is_expired()]:
        del tokens[old]
    tokens[message] = interaction
