"""Challenges as stored."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.values.clocks import Pace
from db.values.places import DiscordId, Place
from rules.core.match import Setup


class Answer(StrEnum):
    """Where a challenge stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class Reply(StrEnum):
    """Where one member stands in a challenge."""

    ASKED = "asked"
    IN = "in"
    DECLINED = "declined"
    REMOVED = "removed"


class Order(StrEnum):
    """How the seats are given."""

    LOT = "lot"
    FIRST = "first"
    """The challenger begins; the others follow by lot."""
    LAST = "last"
    """The others by lot, then the challenger."""
    LISTED = "listed"
    """As the challenge lists its members: in the order of asking or joining."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What everybody agrees to by accepting. From `fewest` to `most` may play."""

    game: str
    options: tuple[tuple[str, int], ...]
    fewest: int
    most: int
    order: Order = Order.LOT
    pace: Pace | None = None
    rated: bool = True

    def setup(self, players: int) -> Setup:
        """What the match of so many players starts from."""
        return Setup(self.game, self.options, players)


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody whom a challenge concerns, the challenger included."""

    user: DiscordId
    reply: Reply


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """A challenge to be stored. Anybody may join one that is `public`; else those asked must all accept."""

    terms: Terms
    place: Place
    challenger: DiscordId
    participants: tuple[Participant, ...]
    public: bool
    made_at: datetime
    expires_at: datetime
    rematch_of: int | None = None
    """The match that is to be played again, if there is one."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A stored challenge. `message` is its message once posted; `match` the match it became."""

    id: int
    terms: Terms
    place: Place
    challenger: DiscordId
    participants: tuple[Participant, ...]
    public: bool
    made_at: datetime
    expires_at: datetime
    answer: Answer
    message: DiscordId | None
    match: int | None
    rematch_of: int | None = None

    def users(self, *replies: Reply) -> tuple[DiscordId, ...]:
        """The members who gave one of these replies, as listed."""
        return tuple(it.user for it in self.participants if it.reply in replies)

    def reply_of(self, user: DiscordId) -> Reply | None:
        """Where a member stands, None for a stranger."""
        return next((it.reply for it in self.participants if it.user == user), None)

    @property
    def others(self) -> tuple[DiscordId, ...]:
        """Everybody but the challenger, as listed."""
        return tuple(it.user for it in self.participants if it.user != self.challenger)


class Answered(Exception):
    """Somebody has answered meanwhile; nothing was stored. `challenge` says how it stands."""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(f"challenge {challenge.id} stands otherwise; it is {challenge.answer}")
        self.challenge = challenge


class Rematched(Exception):
    """A rematch of the match was asked for before; nothing was stored. `challenge` is that one, however it stands."""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(f"challenge {challenge.id} is a rematch of {challenge.rematch_of}")
        self.challenge = challenge
