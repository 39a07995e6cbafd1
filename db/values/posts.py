"""Messages that the bot maintains, and direct messages that it sends."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from db.values.places import DiscordId
from rules.core.game import Seat


class PostKind(StrEnum):
    """The kinds of posts. The subject of a post is the id of a match, a challenge, an event or a server."""

    BOARD = "board"
    """The board of a match."""
    COPY = "copy"
    """The board of a match in a further server; its key is the id of that server."""
    CARD = "card"
    """The card of a challenge."""
    EVENT = "event"
    """The message of an event. Its progress is the number of stages that have begun. The key is empty, or the id of the
    server of the guests of a match between servers."""
    RESULT = "result"
    """The announcement that a match has ended; its key is empty."""
    VOID = "void"
    """The announcement that the result of a match was reverted; its key is "here" or "results"."""
    PODIUM = "podium"
    """The podium of a server; its key is the season, like `2026-10`."""
    PUZZLE = "puzzle"
    """The daily puzzle of a server; its key is the day, like `2026-10-31`."""
    MOMENT = "moment"
    """The post about a week of a server, with its best moment; its key is the Monday after that week."""


BOARDS = PostKind.BOARD, PostKind.COPY


@dataclass(frozen=True, slots=True)
class Companion:
    """A further message of a post, which is deleted once it no longer holds.

    With a `seat` it mentions the player there, and was sent when the match had `plies` entries; with a `proposal` it
    asks that player to answer the proposal. Without a `seat` it is a message that the post has replaced. A message
    that mentions several players has a companion for each.
    """

    channel: DiscordId
    message: DiscordId
    seat: Seat | None = None
    plies: int = 0
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A message that the bot maintains in Discord."""

    id: int
    kind: PostKind
    subject: int
    key: str
    guild: DiscordId | None
    channel: DiscordId
    """The channel of the message, or the channel in which it is to be posted."""
    version: int
    """Raised with every change of the content, in the transaction that changes it."""
    due_at: datetime
    """The time from which a pending post is to be shown."""
    shown: int | None = None
    """The version that Discord shows; None before the first."""
    message: DiscordId | None = None
    """None if no message is posted."""
    progress: int = 0
    """The entries of the log that a board shows; 1 for a daily puzzle whose day is over."""
    pinned: bool = False
    companions: tuple[Companion, ...] = ()
    tried_at: datetime | None = None
    """Time of an attempt to post whose outcome is not stored: the message may be in Discord."""

    @property
    def pending(self) -> bool:
        """Return True if Discord does not show the newest version, or may show more than one message."""
        return self.shown != self.version or self.tried_at is not None

    def beside(self, companions: Iterable[Companion]) -> "Post":
        """Return the post with further companions. What was known of the same messages is replaced."""
        new = tuple(companions)
        again = {one.message for one in new}
        known = (one for one in self.companions if one.message not in again)
        return replace(self, companions=(*known, *new))


class Occasion(StrEnum):
    """The reasons for a direct message. Its subject is the id of a match or a challenge if nothing else is said."""

    TURN = "turn"
    """The match has this `number` of entries: the user is to move, or the match is over."""
    HELD = "held"
    """The same, but the board waits for an interaction in its channel."""
    REMINDER = "reminder"
    """The time for a move is running out; the match has this `number` of entries."""
    PROPOSAL = "proposal"
    """The user is asked to answer the proposal with this `number`."""
    CHALLENGE = "challenge"
    """The user is asked to answer the challenge; or it is theirs and was declined, and the `number` is 1;
    or it is open to all, the user wants to be told of such, and the `number` is 2; or it is a standing offer of theirs
    that rests, and the `number` is 3."""
    EVENT = "event"
    """A stage of the event that is the subject has begun; the `number` counts the stages from 1. With 0 it is a league
    that can be joined."""
    FOLLOWED = "followed"
    """The user follows the match: something was played if the `number` is 0, and the match is over if it is 1."""
    DIGEST = "digest"
    """The daily message to the user. The subject is its day as an ordinal number, and the `number` is 0."""


RESTS = 3
"""The number of the news that a standing offer rests."""
FOLLOWED_MOVES, FOLLOWED_END = 0, 1
"""The numbers of news of a match that the user follows."""


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
    turn: datetime | None = None
    """The time that is reserved for opening the channel; None if no time is reserved."""


@dataclass(frozen=True, slots=True)
class OpeningPace:
    """The pace at which all processes together open channels of direct messages."""

    free_at: datetime
    """The time after the reserved ones."""
    paused_until: datetime
    """No channel is opened before this time, because Discord refused one."""
