"""Direct messages that are still to be sent."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from db.api.places import DiscordId


class Occasion(StrEnum):
    """The reasons for a direct message. The subject of the message is the id of a match or of a challenge."""

    TURN = "turn"
    """The match has this `number` of entries: the user is to move, or the match is over."""
    HELD = "held"
    """The same, but the board waits for an interaction in its channel."""
    REMINDER = "reminder"
    """The time for a move is running out; the match has this `number` of entries."""
    PROPOSAL = "proposal"
    """The user is asked to answer the proposal with this `number`."""
    CHALLENGE = "challenge"
    """The user is asked to answer the challenge."""


@dataclass(frozen=True, slots=True)
class News:
    """The content of a direct message: its occasion, its subject, and a number that the occasion explains."""

    occasion: Occasion
    subject: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A direct message that is still to be sent."""

    id: int
    user: DiscordId
    guild: DiscordId | None
    """The server of the match or the challenge."""
    news: News


class DirectMessageStore(Protocol):
    """The queue of direct messages. A message stays in the queue until it was sent or is no longer needed."""

    async def queue_direct_messages(
        self, users: Collection[DiscordId], guild: DiscordId | None, news: News, at: datetime
    ) -> None:
        """Queue a message to each of `users`, due at `at`. A message that is queued already stays as it is."""

    async def queued_direct_messages(
        self, at: datetime, limit: int, without: Collection[int] = ()
    ) -> Sequence[QueuedMessage]:
        """Return messages of the served servers that are due, ordered by due time; at most `limit`."""

    async def postpone_direct_message(self, message: int, until: datetime) -> None:
        """Let a message be due later."""

    async def forget_direct_message(self, message: int) -> None:
        """Delete a message from the queue."""
