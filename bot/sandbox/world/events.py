"""The events of the world, which are published to the gateway and to the page's feed."""

from dataclasses import dataclass

from bot.sandbox.json_types import Object
from bot.sandbox.world.records import Interaction, Message


class Event:
    """A change of the world."""


@dataclass(frozen=True)
class MessageEvent(Event):
    """An event of a message. `pinged` are the ids of the members whom it pings."""

    message: Message
    pinged: tuple[str, ...] = ()


class MessageSent(MessageEvent):
    pass


class MessageEdited(MessageEvent):
    """An edit, which pings only if a followup filled in a deferred response."""


class MessageGone(MessageEvent):
    pass


@dataclass(frozen=True)
class ChannelEvent(Event):
    channel: Object


class ChannelMade(ChannelEvent):
    pass


class ChannelChanged(ChannelEvent):
    pass


class ChannelGone(ChannelEvent):
    pass


@dataclass(frozen=True)
class ChannelPinned(ChannelEvent):
    """A pin or an unpin. `at` is the time of the pin, or None for an unpin."""

    at: str | None


@dataclass(frozen=True)
class Typing(ChannelEvent):
    user_id: str


@dataclass(frozen=True)
class ThreadJoined(Event):
    """A new member of a thread. `member` is the thread member object."""

    thread: Object
    member: Object


@dataclass(frozen=True)
class GuildEvent(Event):
    guild: Object


class GuildChanged(GuildEvent):
    pass


class GuildUnavailable(GuildEvent):
    """The beginning of an outage."""


class GuildAvailable(GuildEvent):
    """The end of an outage."""


class BotAdded(GuildEvent):
    pass


class BotRemoved(GuildEvent):
    pass


@dataclass(frozen=True)
class MemberLeft(GuildEvent):
    user: Object


@dataclass(frozen=True)
class MemberJoined(GuildEvent):
    """The return of a member."""

    user: Object


class CommandsChanged(Event):
    pass


class ApplicationChanged(Event):
    """The bot logged in, came online or went offline."""


@dataclass(frozen=True)
class InteractionOpened(Event):
    interaction: Interaction


@dataclass(frozen=True)
class InteractionFailed(Event):
    """An interaction without a response in time. Only the member `user_id` is notified."""

    interaction: str
    user_id: str
