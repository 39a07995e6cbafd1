"""What members have chosen."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypedDict

from db.values.places import DiscordId


class Notice(StrEnum):
    """How a member is told that it is their turn."""

    PING = "ping"
    DIRECT = "direct"
    NONE = "none"


FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
"""A time that does not come: away until one says otherwise."""


@dataclass(frozen=True, slots=True)
class Member:
    """What a member chose, in all servers; whoever chose nothing has the defaults."""

    user: DiscordId
    theme: str | None = None
    """The look of pictures that only they see; None follows the server."""
    notice: Notice = Notice.PING
    away_until: datetime | None = None
    """Nobody may challenge them before."""
    forced: bool = False
    """Whether their only legal move plays itself."""
    listed: bool = True
    """Whether they are on the boards of everywhere; on those of their servers they are."""
    computer: bool = False
    """Whether a program plays for them: what who runs it says, and nobody chooses."""


class MemberChange(TypedDict, total=False):
    """The fields of a Member that are to change."""

    theme: str | None
    notice: Notice
    away_until: datetime | None
    forced: bool
    listed: bool
    computer: bool
