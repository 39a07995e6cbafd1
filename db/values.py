"""What the store takes and gives: plain values, free of any database library. Times are aware and in UTC."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from rules.core.match import Ply, Setup

DiscordId = int
"""A user, server, channel or message by its Discord id."""


class Outcome(StrEnum):
    """How a match ended for one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class Answer(StrEnum):
    """Where a challenge stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is played; `guild` is None in direct messages."""

    guild: DiscordId | None
    channel: DiscordId


@dataclass(frozen=True, slots=True)
class Panel:
    """The message that shows a match, and how many plies it shows."""

    channel: DiscordId
    message: DiscordId
    plies: int


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """A challenge to be stored."""

    setup: Setup
    place: Place
    challenger: DiscordId
    opponent: DiscordId
    made_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Challenge:
    """A stored challenge. `message` is its message once posted; `match` the match it became."""

    id: int
    setup: Setup
    place: Place
    challenger: DiscordId
    opponent: DiscordId
    made_at: datetime
    expires_at: datetime
    answer: Answer
    message: DiscordId | None
    match: int | None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as stored: its record, who sits where, where it is played and shown."""

    id: int
    setup: Setup
    version: int
    place: Place
    users: tuple[DiscordId, ...]
    """By seat."""
    log: tuple[Ply, ...]
    started_at: datetime
    finished_at: datetime | None
    outcomes: tuple[Outcome, ...] | None
    """By seat, once it is over."""
    panel: Panel | None


@dataclass(frozen=True, slots=True)
class Standing:
    """One member's finished matches of one game (or of all) in one server."""

    user: DiscordId
    won: int
    drawn: int
    lost: int


class MovedOn(Exception):
    """The match no longer stands at the ply that an append was made for; nothing was stored."""


class Answered(Exception):
    """The challenge is not open any more; nothing was stored. `challenge` says how it stands."""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(f"challenge {challenge.id} is {challenge.answer}")
        self.challenge = challenge
