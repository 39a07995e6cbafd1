"""Challenges: invitations to a match, from the first offer to the last answer."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.values.matches import MatchOptions
from db.values.members import is_computer
from db.values.places import DiscordId, Place
from rules.core.match import Setup

ANY_GAME = "any"
"""In the terms of an open challenge: the member who accepts chooses the game, which has its standard size."""


class Answer(StrEnum):
    """The state of a challenge or a proposal."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class Reply(StrEnum):
    """The reply of one member to a challenge."""

    ASKED = "asked"
    IN = "in"
    DECLINED = "declined"
    REMOVED = "removed"


class Order(StrEnum):
    """The way in which seats are given to the players."""

    LOT = "lot"
    """All at random."""
    FIRST = "first"
    """The challenger begins, the others follow at random."""
    LAST = "last"
    """The others at random, then the challenger."""
    LISTED = "listed"
    """In the order in which the challenge lists its members."""


@dataclass(frozen=True, slots=True)
class Terms(MatchOptions):
    """The terms of a challenge, which everybody accepts: the game, the players and the options of the match.

    `game` is the key of a game, or ANY_GAME. The number of players is between `fewest` and `most`.
    """

    game: str
    options: tuple[tuple[str, int], ...]
    fewest: int
    most: int
    order: Order = Order.LOT

    @property
    def any_game(self) -> bool:
        """Return True if the member who accepts chooses the game."""
        return self.game == ANY_GAME

    def setup(self, players: int) -> Setup:
        """Return the setup of a match with this number of players."""
        return Setup(self.game, self.options, players)


@dataclass(frozen=True, slots=True)
class Participant:
    """A member whom a challenge concerns; the challenger is one of them."""

    user: DiscordId
    reply: Reply


@dataclass(frozen=True, slots=True)
class Standing:
    """The terms by which a challenge is a standing offer: it stays open, and each member who accepts begins a game."""

    most: int
    """The most games of the offer that are played at once. Each member plays one of them at most."""
    lowest: int | None = None
    """The lowest rating in the game of members who may accept; None admits all."""
    highest: int | None = None
    """The highest such rating; None admits all."""
    rests: bool = False
    """True after a game of it ended while it waited for the challenger. Nobody can accept it until they reopen it."""

    def admits(self, rating: int) -> bool:
        """Return True if a member with this rating may accept."""
        low, high = self.lowest, self.highest
        return (low is None or low <= rating) and (high is None or rating <= high)


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """A challenge to be stored. Anybody may join if it is `public`; otherwise all who are asked must accept."""

    terms: Terms
    place: Place
    challenger: DiscordId
    participants: tuple[Participant, ...]
    public: bool
    made_at: datetime
    expires_at: datetime
    rematch_of: int | None = None
    """The match that this challenge is a rematch of, or None."""
    call: str = ""
    """The mention of the role that its message calls, or ""."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A stored challenge. `message` is its card once posted; `match` is the match that it led to.

    `call` is the mention of the role that its card mentions, or "".
    """

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
    call: str = ""
    standing: Standing | None = None
    """The further terms of a standing offer; None for a challenge that leads to one match."""

    def late(self, now: datetime) -> bool:
        """Return True if the time of an open challenge is over. That of a standing offer is renewed instead."""
        return self.answer is Answer.OPEN and self.standing is None and now >= self.expires_at

    def users(self, *replies: Reply) -> tuple[DiscordId, ...]:
        """Return the members who gave one of these replies, in the order of the challenge."""
        return tuple(it.user for it in self.participants if it.reply in replies)

    def reply_of(self, user: DiscordId) -> Reply | None:
        """Return the reply of a member, or None if the challenge does not concern them."""
        return next((it.reply for it in self.participants if it.user == user), None)

    @property
    def computers(self) -> tuple[DiscordId, ...]:
        """The computer players that have a seat."""
        return tuple(it.user for it in self.participants if is_computer(it.user))

    @property
    def others(self) -> tuple[DiscordId, ...]:
        """All members but the challenger, in the order of the challenge."""
        return tuple(it.user for it in self.participants if it.user != self.challenger)


class ChallengeChanged(Exception):
    """The challenge has changed since it was read; nothing was stored. `challenge` is its present state."""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(f"challenge {challenge.id} has changed; it is {challenge.answer}")
        self.challenge = challenge


class NoMoreGames(Exception):
    """No further game of a standing offer can begin for a member; nothing was stored.

    `theirs` is True if the member plays a game of the offer, and False if the offer has its most games.
    """

    def __init__(self, *, theirs: bool) -> None:
        super().__init__("the offer has no room for another game")
        self.theirs = theirs


class RematchExists(Exception):
    """The match has a rematch already; nothing was stored. `challenge` is that one, open or not."""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(f"challenge {challenge.id} is a rematch of {challenge.rematch_of}")
        self.challenge = challenge
