"""Actions of the owner of the bot: bans, the announcement, and the log of both."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from db.values.places import DiscordId


@dataclass(frozen=True, slots=True)
class Ban:
    """A member or a server that may not use the bot.

    `digest` recognizes them; their id is None once their data was deleted. Without `until` the ban has no end.
    """

    digest: str
    user: DiscordId | None
    guild: DiscordId | None
    reason: str
    until: datetime | None
    made_at: datetime
    id: int = 0
    """0 until it is stored."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence that all members are told until a time."""

    text: str
    until: datetime


@dataclass(frozen=True, slots=True)
class AdminAction:
    """An action of an owner; `user` is None once their data was deleted."""

    at: datetime
    user: DiscordId | None
    what: str


@dataclass(frozen=True, slots=True)
class ServerActivity:
    """The activity of a server."""

    guild: DiscordId
    running: int
    lately: int
    """Games that have ended lately."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """The matches and messages that the bot has to do with at one moment."""

    running: Mapping[str, int]
    """By game: the matches that are not over."""
    boards: int
    """Boards of servers that are not shown although somebody moved lately."""
    held_boards: int
    """The other boards that are not shown: in direct messages, or for long, since a permission is missing."""
    challenges: int
    """Challenges that were made lately and that no message shows."""
    announcements: int
    """Matches that ended lately and whose end is not announced."""
    direct_messages: int = 0
    """Direct messages that are queued."""
