"""Posts that are made once: what is known of each, from before it is sent until Discord has said where it is."""

from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import date, datetime, timedelta

from bot.app.system import Clock
from db.api.places import DiscordId
from db.api.puzzle_posts import PuzzlePost

NONCE_HOLDS = timedelta(minutes=2)
"""The time for which Discord surely does not make a second message of the same name."""


class PostLedger(ABC):
    """The posts of one kind, at most one for each server and day.

    A post is stored before it is sent, and again once Discord has said where it is. A post of which Discord said
    nothing is doubtful: it may be there.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    @abstractmethod
    async def post(self, guild: DiscordId, day: date) -> PuzzlePost | None:
        """The post of a day in a server, which may not be there yet; None if none was begun."""

    @abstractmethod
    async def _keep(self, post: PuzzlePost) -> None:
        """Store a post as it is now."""

    @property
    def now(self) -> datetime:
        """The time."""
        return self._clock.now()

    def fresh(self, post: PuzzlePost) -> bool:
        """True if a doubtful post can be sent again, because Discord would not make a second message of it.

        If the clock was set back since the first try, nothing is known of its age, and the post is not sent again.
        """
        return post.tried_at is not None and abs(self._clock.now() - post.tried_at) < NONCE_HOLDS

    async def sending(
        self, guild: DiscordId, day: date, channel: DiscordId, doubt: PuzzlePost | None = None
    ) -> PuzzlePost:
        """Note that a post is being sent to a channel. It is doubtful until one of the following is called.

        `doubt` is an earlier try. The time since the first one counts, since that may be the message that is there.
        """
        tried_at = self._clock.now() if doubt is None else doubt.tried_at
        post = PuzzlePost(guild, day, channel, tried_at=tried_at)
        await self._keep(post)
        return post

    async def not_sent(self, post: PuzzlePost, doubt: PuzzlePost | None = None) -> None:
        """Note that a post was not sent for certain. It stays doubtful if an earlier try was: `doubt`."""
        await self._keep(doubt or replace(post, tried_at=None))

    async def sent(self, post: PuzzlePost, message: DiscordId | None) -> None:
        """Note that a post is there. Where it is not known (`message` None), it is never changed."""
        await self._keep(replace(post, message=message, tried_at=None, settled=True))
