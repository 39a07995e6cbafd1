"""Direct messages that are still to be sent."""

from dataclasses import dataclass
from enum import StrEnum

from db.values.places import DiscordId


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
