"""Proposals: draws and takebacks that the players of a running match may agree on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from db.api.challenges import Answer
from db.api.places import DiscordId
from rules.core.game import Seat


class Matter(StrEnum):
    """The subject of a proposal."""

    DRAW = "draw"
    TAKEBACK = "takeback"


@dataclass(frozen=True, slots=True)
class NewProposal:
    """A proposal to be stored. `shown` is the number of log entries that were public when it was made."""

    match: int
    matter: Matter
    seat: Seat
    shown: int
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Proposal:
    """A stored proposal. `agreed` are the seats that have agreed, without the proposer's."""

    id: int
    match: int
    matter: Matter
    seat: Seat
    shown: int
    made_at: datetime
    answer: Answer
    agreed: tuple[Seat, ...]
    told: bool = False
    """Whether the other players were notified."""


class Settled(Exception):
    """The proposal is no longer open; nothing was stored. `proposal` is its present state."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"proposal {proposal.id} is {proposal.answer}")
        self.proposal = proposal


class Proposed(Exception):
    """The match has an open proposal of this matter already; nothing was stored. `proposal` is that one."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(f"proposal {proposal.id} is open")
        self.proposal = proposal


class ProposalStore(Protocol):
    """Proposals of draws and takebacks in running matches."""

    async def propose(self, new: NewProposal, plies: int) -> Proposal:
        """Store an open proposal in a match that has `plies` plies.

        Raises MovedOn if the match has another number of plies or is over, and Proposed if it has an open proposal of
        this matter.
        """

    async def proposal(self, proposal: int) -> Proposal | None:
        """Return the proposal with this id, open or not, or None."""

    async def open_proposals(
        self, match: int | None = None, *, user: DiscordId | None = None
    ) -> list[Proposal]:
        """Return open proposals, the oldest first: those in `match` and in matches that `user` plays, if given."""

    async def proposals_at(self, match: int, shown: int) -> list[Proposal]:
        """Return the proposals of a match that are open, or that were made when it had `shown` public log entries.

        The oldest come first.
        """

    async def last_proposal(self, match: int, matter: Matter, seat: Seat) -> Proposal | None:
        """Return the newest proposal of this matter that a seat has made, open or not, or None."""

    async def note_told(self, proposals: Sequence[int]) -> None:
        """Note that the other players were notified of these proposals."""

    async def agree(self, proposal: int, seat: Seat, at: datetime) -> Proposal:
        """Record that a seat agrees to an open proposal; agreeing twice changes nothing. Raises Settled."""

    async def settle(self, proposal: int, answer: Answer, at: datetime) -> Proposal:
        """Close an open proposal that is not carried out. Raises Settled."""
