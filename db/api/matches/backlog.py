"""Numbers for the person who runs the bot: how much waits to be shown, and how much is going on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


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


class BacklogStore(Protocol):
    """The backlog."""

    async def backlog(self, lately: datetime) -> Backlog:
        """Return what is running and what waits in the servers of this process. Lately is after `lately`."""
