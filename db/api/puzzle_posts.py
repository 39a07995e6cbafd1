"""The posts of the puzzle of the day: at most one for each server and day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from db.api.places import DiscordId


@dataclass(frozen=True, slots=True)
class PuzzlePost:
    """The post of the puzzle of a day in a server. It is stored before it is sent.

    `message` is None until Discord has said that the post is there. `tried_at` is the last time when it was sent and
    Discord did not say what became of it, so that it may be there. A post is `settled` once nothing more is to be sent.
    """

    guild: DiscordId
    day: date
    channel: DiscordId
    message: DiscordId | None = None
    tried_at: datetime | None = None
    settled: bool = False
    tried: int = 0
    """The members who have tried the puzzle, as the post says."""
    solved: int = 0
    """The members who have solved it, as the post says."""
    closed: bool = False
    """True if the post shows the board of its day, after which it does not change."""


class PuzzlePostStore(Protocol):
    """The posts of the puzzle of the day."""

    async def puzzle_posts_due(self, day: date, hour: int) -> Sequence[DiscordId]:
        """Return the servers, by id, whose hour is `hour` or earlier and whose post of the day is not settled."""

    async def puzzle_post(self, guild: DiscordId, day: date) -> PuzzlePost | None:
        """Return the post of a day in a server; None if it was never begun."""

    async def open_puzzle_posts(self) -> Sequence[PuzzlePost]:
        """Return the posts that are there and not closed, the oldest first."""

    async def keep_puzzle_post(self, post: PuzzlePost) -> None:
        """Store a post as it is now. One that is settled keeps its channel and its message."""

    async def forget_puzzle_posts(self, before: date) -> None:
        """Delete the posts of the days before this one."""
