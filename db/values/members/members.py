"""Members: their preferences, and which members they have blocked."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypedDict

from db.values.places import DiscordId


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
