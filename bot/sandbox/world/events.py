"""The events of the world, which are published to the gateway and to the page's feed."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.json_types import Object
from bot.sandbox.world.records import Interaction, Message


@dataclass(frozen=True, slots=True)
class MessageSent:
    """A new message. `pinged` are the ids of the members whom the message pings."""

    message: Message
    pinged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """A changed message. `pinged` is empty unless a followup filled in a deferred response."""

    message: Message
    pinged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageGone:
    message: Message


@dataclass(frozen=True, slots=True)
class ChannelMade:
    channel: Object


@dataclass(frozen=True, slots=True)
class ChannelChanged:
    channel: Object


@dataclass(frozen=True, slots=True)
class ThreadJoined:
    """A new member of a thread. `member` is the thread member object."""

    thread: Object
    member: Object


@dataclass(frozen=True, slots=True)
class ChannelGone:
    channel: Object


@dataclass(frozen=True, slots=True)
class ChannelPinned:
    """A pin or an unpin. `at` is the time of the pin, or None for an unpin."""

    channel: Object
    at: str | None


@dataclass(frozen=True, slots=True)
class GuildChanged:
    guild: Object


@dataclass(frozen=True, slots=True)
class MemberLeft:
    guild: Object
    user: Object


@dataclass(frozen=True, slots=True)
class MemberJoined:
    """A member returned to a server."""

    guild: Object
    user: Object


@dataclass(frozen=True, slots=True)
class BotAdded:
    """The bot was added to a server."""

    guild: Object


@dataclass(frozen=True, slots=True)
class BotRemoved:
    """The bot was removed from a server."""

    guild: Object


@dataclass(frozen=True, slots=True)
class GuildUnavailable:
    """An outage of a server began."""

    guild: Object


@dataclass(frozen=True, slots=True)
class GuildAvailable:
    """The outage of a server is over."""

    guild: Object


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    pass


@dataclass(frozen=True, slots=True)
class ApplicationChanged:
    """The bot logged in, came online or went offline."""


@dataclass(frozen=True, slots=True)
class Typing:
    channel: Object
    user_id: str


@dataclass(frozen=True, slots=True)
class InteractionOpened:
    interaction: Interaction


@dataclass(frozen=True, slots=True)
class InteractionFailed:
    """An interaction without a response in time. Only the member `user_id` is notified."""

    interaction: str
    user_id: str


Event: TypeAlias = (
    MessageSent
    | MessageEdited
    | MessageGone
    | ChannelMade
    | ChannelChanged
    | ThreadJoined
    | ChannelGone
    | ChannelPinned
    | GuildChanged
    | MemberLeft
    | MemberJoined
    | BotAdded
    | BotRemoved
    | GuildUnavailable
    | GuildAvailable
    | CommandsChanged
    | ApplicationChanged
    | Typing
    | InteractionOpened
    | InteractionFailed
)
