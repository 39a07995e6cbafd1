"""Proposals: draws, takebacks, more time and pauses that the players of a running match may agree on."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.values.challenges import Answer
from db.values.places import DiscordId
from rules.core.game import Seat


class Matter(StrEnum):
    """The subject of a proposal."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    TIME = "time"
    PAUSE = "pause"
    SEAT = "seat"
    """That a computer player plays on in the seat of a player who has left. Nobody makes this proposal."""


@dataclass(frozen=True, slots=True)
class NewProposal:
    """A proposal to be stored. `shown` is the number of log entries that were public when it was made.

    `computer` is the computer player that is to take the `seat`.
    """

    match: int
    matter: Matter
    seat: Seat
    shown: int
    made_at: datetime
    computer: DiscordId | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A stored proposal. `agreed` are the seats that have agreed, without the proposer's.

    `computer` is the computer player that is to take the `seat`, whose player has left.
    """

    id: int
    match: int
    matter: Matter
    seat: Seat
    shown: int
    made_at: datetime
    answer: Answer
    agreed: tuple[Seat, ...]
    told: bool = False
    """True if the other players were notified."""
    computer: DiscordId | None = None


@dataclass(frozen=True, slots=True)
class Takeover:
    """The change by which a computer player takes a seat, whose player has left; the match is casual from then on.

    `ranks` are those by seat with which the match changes the rating of the player who left, or None.
    """

    seat: Seat
    computer: DiscordId
    ranks: tuple[int, ...] | None = None


class ProposalClosed(Exception):
    """The proposal is no longer open; nothing was stored. `proposal` is its present state."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"proposal {proposal.id} is {proposal.answer}")
        self.proposal = proposal


class ProposalExists(Exception):
    """The match has an open proposal of this matter already; nothing was stored. `proposal` is that one."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"proposal {proposal.id} is open")
        self.proposal = proposal
