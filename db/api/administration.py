"""Acts of the owner of the bot: bans, the announcement of maintenance, and the log of both."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from db.api.places import DiscordId
from db.api.shards import Shards


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
    """Something that an owner did; their id is None once their data was deleted."""

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


class AdministrationStore(Protocol):
    """Bans, announcements and their log. Each change is stored together with its entry in the log.

    Other processes are told of bans and announcements in the same transaction.
    """

    async def bans(self) -> Sequence[Ban]:
        """Return all bans, also those that are over, the newest first."""

    async def ban(self, ban: Ban, action: AdminAction) -> None:
        """Store a ban, in the place of an earlier one of the same member or server."""

    async def unban(self, ban: int, action: AdminAction) -> bool:
        """Delete a ban. Return False if there is none with this id; then nothing is stored."""

    async def banned_games(
        self, at: datetime, shards: Shards | None = None, limit: int | None = None
    ) -> Sequence[tuple[int, DiscordId | None]]:
        """Return the running games of members and servers whose bans hold at `at`, those of these shards or all.

        Each game with the banned member who plays it, or None if its server is banned; the oldest game first. At most
        `limit`, which are any of them.
        """

    async def announcement(self) -> Announcement | None:
        """Return the announcement, also one that is over, or None."""

    async def announce(self, announcement: Announcement | None, action: AdminAction) -> None:
        """Store an announcement in the place of the one before; None deletes it."""

    async def admin_actions(self, limit: int) -> Sequence[AdminAction]:
        """Return the last actions, the newest first."""

    async def log_admin_action(self, action: AdminAction) -> None:
        """Store an action that changes nothing else in the store."""

    async def activity(self, since: datetime) -> Sequence[ServerActivity]:
        """Return how much is played in each server of which there are games, with games that ended after `since`."""

    async def moves_since(self, since: datetime) -> int:
        """Return how many entries were made after `since` in games that run or ended after it."""

    async def database_size(self) -> int:
        """Return the bytes that the database takes on its disk."""

    async def boards_waiting(self) -> int:
        """Return how many games have something played that no board shows yet."""
