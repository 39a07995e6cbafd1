"""Members: their preferences, and which members they have blocked."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol, TypedDict, Unpack

from db.api.places import DiscordId


class Notice(StrEnum):
    """The way in which a member hears that it is their turn."""

    PING = "ping"
    DIRECT = "direct"
    NONE = "none"


FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
"""The `away_until` of a member who has not said when they come back."""


@dataclass(frozen=True, slots=True)
class Member:
    """The preferences of a member, which hold in all servers; a member who chose nothing has the defaults."""

    user: DiscordId
    theme: str | None = None
    """The theme of pictures that only they see; None uses the server's theme."""
    notice: Notice = Notice.PING
    away_until: datetime | None = None
    """Until then nobody may challenge them."""
    forced: bool = False
    """True if their only legal move is played for them."""
    listed: bool = True
    """True if they appear on global leaderboards. On those of their servers they always appear."""
    computer: bool = False
    """True if a program plays for them. The operator sets this, not the member."""


class MemberChange(TypedDict, total=False):
    """The fields of a Member that are to change."""

    theme: str | None
    notice: Notice
    away_until: datetime | None
    forced: bool
    listed: bool
    computer: bool


class MemberStore(Protocol):
    """The preferences and blocks of members."""

    async def member(self, user: DiscordId) -> Member:
        """Return the preferences of a member, or the defaults."""

    async def members(self, users: Collection[DiscordId]) -> list[Member]:
        """Return the preferences of those of `users` who have chosen something, by id."""

    async def change_member(self, user: DiscordId, **changes: Unpack[MemberChange]) -> None:
        """Change these preferences of a member and leave the others. Global leaderboards follow at once."""

    async def block(self, user: DiscordId, blocked: DiscordId, at: datetime) -> None:
        """Record that `user` wants no games with `blocked`. Blocking again renews the time."""

    async def unblock(self, user: DiscordId, blocked: DiscordId) -> bool:
        """Remove a block. Return True if there was one."""

    async def blocked(self, user: DiscordId) -> list[DiscordId]:
        """Return the members that `user` has blocked, in the order of blocking."""

    async def blockers(self, user: DiscordId, others: Collection[DiscordId]) -> list[DiscordId]:
        """Return those of `others` who have blocked `user`, by id."""
