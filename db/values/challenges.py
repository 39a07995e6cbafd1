"""Challenges as stored."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.values.places import DiscordId, Place
from rules.core.match import Setup


class Answer(StrEnum):
    """Where a challenge stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


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


class Answered(Exception):
    """The challenge is not open any more; nothing was stored. `challenge` says how it stands."""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(f"challenge {challenge.id} is {challenge.answer}")
        self.challenge = challenge
