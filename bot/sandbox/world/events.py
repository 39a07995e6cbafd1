"""Events of the world, published to the gateway and to the page's feed."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.json_types import Object
from bot.sandbox.world.records import Interaction, Message


@dataclass(frozen=True, slots=True)
class MessageSent:
    """`pinged` are the ids of the members that the message pings."""

    message: Message
    pinged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """`pinged` is empty unless a followup filled in a deferred answer, which counts as a new message."""

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
    """Somebody was added to a thread; `member` is their thread member object."""

    thread: Object
    member: Object


@dataclass(frozen=True, slots=True)
class ChannelGone:
    channel: Object


@dataclass(frozen=True, slots=True)
class ChannelPinned:
    """A message was pinned, `at` a time, or (None) unpinned."""

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
    """The bot did not answer in time. Only the member `user_id` is told."""

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
