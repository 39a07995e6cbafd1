"""Posting messages at a place: as a member of the server, or through the interaction of a member.

In direct messages among members, and in a server where the bot is only a user app, the bot can only answer. It may send
a few messages to each interaction and edit them for fifteen minutes. Boards there wait for the next interaction. In the
same way the bot shows what only one member may see, by answers to interactions of that member.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, Protocol

import discord
import structlog
from discord import ui

from bot.ui.posts.answers import Acknowledging, FirstAnswer
from bot.ui.posts.clients import Clients
from bot.ui.posts.requests import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, unarchiving
from db.values.places import DiscordId, Ownership, Place

log = structlog.get_logger()

ANSWERED_BY_POST = "answered by a post"
"""The key in the extras of a command that a private post has answered."""
MAIN, BESIDE = 1_000_000_000, 500_000_000
"""The component id of the message of a post, or of a mention beside it, is this number plus the id of the post."""
_ROLE = re.compile(r"<@&([0-9]+)>")
"""The mention of a role."""
MOST_MESSAGES = 4
"""Messages through one interaction: Discord accepts five, and one is the private answer."""


def is_post(message: discord.Message) -> bool:
    first = next(iter(message.components), None)
    return (getattr(first, "id", None) or 0) >= MAIN


class PostTarget(Protocol):
    """A way to post at one place. Its methods raise DISCORD_ERRORS."""

    @property
    def open(self) -> bool:
        """Return True if a message can be sent now."""

    searchable: bool
    """True if messages can be found again, and messages with the same nonce are posted once."""

    async def send(
        self, *, notify: Iterable[DiscordId] = (), call: str = "", once: str | None = None, **parts: Any
    ) -> DiscordId:
        """Post a message that notifies these users and the role that `call` mentions, and return its id.

        `parts` are arguments of discord.py's send: content, view, file. `once` names the message: where the bot is a
        member, Discord does not post a second message of that name within minutes, but returns the first. So a process
        that was stopped, or did not receive the response, can try again.
        """

    async def edit(
        self,
        message: DiscordId,
        view: ui.LayoutView,
        files: Sequence[discord.File],
        *,
        unarchive: bool = True,
    ) -> None:
        """Replace the components and the files of a message. If the message cannot be edited, nothing happens.

        An archived thread is unarchived for the edit, and archived again; without `unarchive` an edit there fails.
        """

    def edits(self, message: DiscordId) -> bool:
        """Return True if a message can be edited now."""

    async def delete(self, message: DiscordId) -> None:
        """Delete a message. A message that is gone, or that cannot be deleted, is no error."""


@dataclass(slots=True)
class OpenInteraction:
    """The interaction that is being answered.

    `thinking` is True until the deferred answer to a command has a text. `sent` counts messages through the
    interaction. `changed` holds the messages that were edited or deleted. `first_answer` may be the changed message.
    """

    interaction: discord.Interaction[Any]
    thinking: bool
    first_answer: FirstAnswer | None = None
    sent: int = 0
    changed: set[DiscordId] = field(default_factory=set)

    async def answered_by_changing(self, message: DiscordId, parts: Mapping[str, Any]) -> bool:
        """Change a message by the first answer to the interaction, if a button of the message was used.

        Return False if the message has to be changed otherwise.
        """
        if self.first_answer is None:
            return False
        if _is_on(self.interaction, message) and await self.first_answer.change_message(**parts):
            return True
        await self.before_effects()
        self.first_answer.begin()
        return False

    async def before_effects(self) -> None:
        """Acknowledge the interaction before it has effects, unless they do not wait for that. Raises Refused."""
        if self.first_answer is not None:
            await self.first_answer.before_effects()

    async def acknowledge(self) -> None:
        """Acknowledge the interaction, unless it has its first answer, so that further answers are possible."""
        if self.first_answer is not None:
            await self.first_answer.acknowledge()


_open_interaction: ContextVar[OpenInteraction | None] = ContextVar("open_interaction", default=None)


class Posting:
    """Returns the targets by which messages are posted at any place."""

    def __init__(self, clients: Clients, ownership: Ownership) -> None:
        self.acknowledging = Acknowledging()
        self._clients = clients
        self._ownership = ownership
        self._editors: dict[DiscordId, discord.Interaction[Any]] = {}
        """By message: the interaction that can still edit it."""

    def reaches(self, place: Place) -> bool:
        """Return True if the bot can post at a place without an interaction.

        It must be a member of the server, and everybody must see the place. The server must not be banned.
        """
        if place.viewer is not None or place.guild is None or place.guild in self._ownership.banned:
            return False
        return self._clients.get_guild(place.guild) is not None

    def at(self, place: Place) -> PostTarget:
        if self.reaches(place):
            return _BotTarget(self._clients, place, self.acknowledging)
        return self.answering(place)

    def answering(self, place: Place) -> PostTarget:
        """Return the target that answers: it is open only while an interaction at the place is being answered.

        If only one member sees the place, any interaction of that member will do.
        """
        current = _open_interaction.get()
        if current is None:
            here = False
        elif place.viewer is not None:
            here = current.interaction.user.id == place.viewer
        else:
            here = current.interaction.channel_id == place.channel
        current = current if here else None
        return _InteractionTarget(
            self._editors, current, self.acknowledging, private=place.viewer is not None
        )

    def direct(self, channel: DiscordId) -> PostTarget:
        """Return the target for the direct messages between the bot and a member in this channel."""
        return _BotTarget(self._clients, Place(None, channel), self.acknowledging)

    @contextmanager
    def through(
        self,
        interaction: discord.Interaction[Any],
        *,
        thinking: bool,
        first_answer: FirstAnswer | None = None,
    ) -> Iterator[None]:
        """Post messages in the channel of this interaction through it, until the context ends."""
        token = _open_interaction.set(OpenInteraction(interaction, thinking, first_answer))
        try:
            yield
        finally:
            _open_interaction.reset(token)

    def is_unchanged(self, message: DiscordId) -> bool:
        """Return True if the interaction being answered has neither edited nor deleted a message."""
        current = _open_interaction.get()
        return current is not None and message not in current.changed

    def newest_message(self, channel: DiscordId) -> DiscordId | None:
        """Return the newest message of a channel when the interaction being answered was made there, or None."""
        current = _open_interaction.get()
        if current is None or current.interaction.channel_id != channel:
            return None
        return getattr(current.interaction.channel, "last_message_id", None)

    def used_message(self, mark: int, place: Place) -> DiscordId | None:
        """Return the message whose button is being used if it carries a mark (see bot.ui.posts.outbox).

        It must be as private as the place.
        """
        current = _open_interaction.get()
        message = None if current is None else current.interaction.message
        if message is None or message.flags.ephemeral is (place.viewer is None):
            return None
        return message.id if any(getattr(part, "id", None) == mark for part in message.components) else None

    def editing(self, interaction: discord.Interaction[Any]) -> Callable[[], None] | None:
        """Return what is to be called once an interaction has its first answer: then it can edit the used message.

        Return None if that message is not edited by interactions.
        """
        message, channel = interaction.message, interaction.channel_id
        if message is None or channel is None or (message.flags.ephemeral and not is_post(message)):
            return None
        viewer = interaction.user.id if message.flags.ephemeral else None
        if self.reaches(Place(interaction.guild_id, channel, viewer=viewer)):
            return None
        return partial(_remember, self._editors, message.id, interaction)


class _BotTarget:
    """Posts as a member of the server."""

    open = searchable = True

    def __init__(self, clients: Clients, place: Place, acknowledging: Acknowledging) -> None:
        self._clients, self._place, self._acknowledging = clients, place, acknowledging
        self._channel = clients.channel(place.guild, place.channel)

    async def send(
        self, *, notify: Iterable[DiscordId] = (), call: str = "", once: str | None = None, **parts: Any
    ) -> DiscordId:
        if (current := _open_interaction.get()) is not None:
            await current.before_effects()
        if once is not None:
            parts["nonce"] = _nonce(self._channel.id, once)
        try:
            message = await self._channel.send(allowed_mentions=only_mentioning(notify, call), **parts)
        except discord.NotFound as error:
            if once is None or error.code != UNKNOWN_MESSAGE:
                raise
            # The nonce belongs to a message that was deleted. Each attempt tries the same nonces in the same order.
            for file in parts.get("files", ()):
                file.reset()
            return await self.send(notify=notify, call=call, once=f"{once} again", **parts)
        return message.id

    async def edit(
        self,
        message: DiscordId,
        view: ui.LayoutView,
        files: Sequence[discord.File],
        *,
        unarchive: bool = True,
    ) -> None:
        parts = _edited(view, files)
        current = _open_interaction.get()
        if current is not None:
            current.changed.add(message)
        if current is not None and await current.answered_by_changing(message, parts):
            return

        async def change() -> None:
            for file in files:
                file.reset()
            await self._channel.get_partial_message(message).edit(**parts)

        await (unarchiving(self._clients, self._place, change) if unarchive else change())

    async def delete(self, message: DiscordId) -> None:
        if (current := _open_interaction.get()) is not None:
            current.changed.add(message)
            await current.before_effects()
        await self._acknowledging.acknowledge_use(message)
        try:
            await unarchiving(self._clients, self._place, self._channel.get_partial_message(message).delete)
        except discord.NotFound as error:
            if error.code not in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE):
                raise

    def edits(self, message: DiscordId) -> bool:
        return True


class _InteractionTarget:
    """Posts through the interaction being answered, and edits through earlier interactions."""

    searchable = False

    def __init__(
        self,
        editors: dict[DiscordId, discord.Interaction[Any]],
        current: OpenInteraction | None,
        acknowledging: Acknowledging,
        *,
        private: bool,
    ) -> None:
        self._editors = editors
        self._current = current
        self._acknowledging = acknowledging
        self._private = private

    @property
    def open(self) -> bool:
        return self._current is not None and self._current.sent < MOST_MESSAGES

    async def send(
        self, *, notify: Iterable[DiscordId] = (), call: str = "", once: str | None = None, **parts: Any
    ) -> DiscordId:
        current = self._current
        assert current is not None
        interaction, mentions = current.interaction, only_mentioning(notify, call)
        await current.acknowledge()
        answer, current.thinking = current.thinking, False
        if answer and self._private:
            interaction.extras[ANSWERED_BY_POST] = True
            answered = await interaction.edit_original_response(**_edited(parts["view"], parts["files"]))
            _remember(self._editors, answered.id, interaction)
            return answered.id
        if answer:
            # The first message after a deferred answer becomes that answer, which is private.
            await interaction.edit_original_response(content="One moment.")
        current.sent += 1
        message = await interaction.followup.send(
            wait=True, ephemeral=self._private, allowed_mentions=mentions, **parts
        )
        _remember(self._editors, message.id, interaction)
        return message.id

    async def edit(
        self,
        message: DiscordId,
        view: ui.LayoutView,
        files: Sequence[discord.File],
        *,
        unarchive: bool = True,
    ) -> None:
        editor = self._editor(message)
        if editor is None:
            return
        parts = _edited(view, files)
        if self._current is not None:
            self._current.changed.add(message)
            if await self._current.answered_by_changing(message, parts):
                return
            await self._current.acknowledge()
            for file in files:
                file.reset()
        if _is_on(editor, message):
            await editor.edit_original_response(**parts)
        else:
            await editor.followup.edit_message(message, **parts)

    def edits(self, message: DiscordId) -> bool:
        return self._editor(message) is not None

    async def delete(self, message: DiscordId) -> None:
        editor = self._editor(message)
        if self._current is not None:
            self._current.changed.add(message)
        await self._acknowledging.acknowledge_use(message)
        if editor is None:
            return
        with suppress(discord.NotFound):
            if _is_on(editor, message):
                await editor.delete_original_response()
            else:
                await editor.followup.delete_message(message)

    def _editor(self, message: DiscordId) -> discord.Interaction[Any] | None:
        """Return an interaction that may change a message, or None."""
        current = self._current
        if current is not None and _is_on(current.interaction, message):
            return current.interaction
        editor = self._editors.get(message)
        return None if editor is None or editor.is_expired() else editor


def _edited(view: ui.LayoutView, files: Sequence[discord.File]) -> dict[str, Any]:
    """Return the arguments of discord.py for editing a message."""
    return {"view": view, "allowed_mentions": only_mentioning(), "attachments": list(files)}


def only_mentioning(users: Iterable[DiscordId] = (), call: str = "") -> discord.AllowedMentions:
    """Return allowed mentions of these users and of the role that `call` mentions, and of nobody else."""
    role = _ROLE.fullmatch(call)
    return discord.AllowedMentions(
        everyone=bool(call) and role is None,
        roles=False if role is None else [discord.Object(int(role[1]))],
        users=[discord.Object(user) for user in users],
    )


def _nonce(channel: DiscordId, once: str) -> str:
    """Return the nonce of a message, a hash of `once`, since everybody in the channel receives the nonce."""
    digest = sha256(f"{channel} {once}".encode()).digest()
    return f"{int.from_bytes(digest[:8]) % 10**18:018}"


def _is_on(interaction: discord.Interaction[Any], message: DiscordId) -> bool:
    """Return True if a component of this message was used."""
    return interaction.message is not None and interaction.message.id == message


def _remember(
    editors: dict[DiscordId, discord.Interaction[Any]],
    message: DiscordId,
    interaction: discord.Interaction[Any],
) -> None:
    """Remember the interaction that can edit a message, and forget expired interactions."""
    for old in [old for old, editor in editors.items() if editor.is_expired()]:
        del editors[old]
    editors[message] = interaction
