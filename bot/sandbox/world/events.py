"""What happens in the world, told to the gateway and to the page's feed."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.json_types import Object
from bot.sandbox.world.interaction import Interaction
from bot.sandbox.world.message import Message


@dataclass(frozen=True, slots=True)
class MessageSent:
    """`pinged` are the ids of the members whom the message mentions and may ping."""

    message: Message
    pinged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """`pinged` is filled only when a deferred answer got its text from a followup, which counts as new."""

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
class ChannelGone:
    channel: Object


@dataclass(frozen=True, slots=True)
class GuildChanged:
    pass


@dataclass(frozen=True, slots=True)
class BotAdded:
    """The bot was taken into the server."""


@dataclass(frozen=True, slots=True)
class BotRemoved:
    """The bot is not in the server any more."""


@dataclass(frozen=True, slots=True)
class GuildUnavailable:
    """An outage: the server cannot be reached just now."""


@dataclass(frozen=True, slots=True)
class GuildAvailable:
    """The outage is over."""


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
    """The bot did not answer in time; told to the member `user_id` alone."""

    interaction: str
    user_id: str


Event: TypeAlias = (
    MessageSent
    | MessageEdited
    | MessageGone
    | ChannelMade
    | ChannelChanged
    | ChannelGone
    | GuildChanged
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
