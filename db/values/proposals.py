"""Proposals as stored: what the players of a running match may agree on."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.values.challenges import Answer
from db.values.places import DiscordId
from rules.core.game import Seat


class Matter(StrEnum):
    """What is proposed."""

    DRAW = "draw"
    TAKEBACK = "takeback"


@dataclass(frozen=True, slots=True)
class NewProposal:
    """A proposal to be stored. `shown` is how many entries of the match everybody knew of when it was made."""

    match: int
    matter: Matter
    seat: Seat
    shown: int
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Proposal:
    """A stored proposal. `agreed` are the seats that have said yes, the proposer's left out."""

    id: int
    match: int
    matter: Matter
    seat: Seat
    shown: int
    made_at: datetime
    answer: Answer
    agreed: tuple[Seat, ...]
    channel: DiscordId | None
    message: DiscordId | None
    """Its message, once posted."""


class Settled(Exception):
    """The proposal is not open any more; nothing was stored. `proposal` says how it stands."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"proposal {proposal.id} is {proposal.answer}")
        self.proposal = proposal


class Proposed(Exception):
    """The match has an open proposal of this matter already; nothing was stored. `proposal` is that one."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"proposal {proposal.id} is open")
        self.proposal = proposal
