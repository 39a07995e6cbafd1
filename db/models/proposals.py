"""Proposals in matches, open and answered."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from db.models.base import Base, partial
from db.values.challenges import Answer
from db.values.proposals import Matter, Proposal


class ConsentRow(Base):
    """A seat that agrees to a proposal."""

    __tablename__ = "consents"
    __table_args__ = (CheckConstraint("seat >= 0", name="from_zero"),)

    proposal_id: Mapped[int] = mapped_column(ForeignKey("proposals.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    agreed_at: Mapped[datetime]


class ProposalRow(Base):
    """A proposal. It is open as long as it has no `answered_at`."""

    __tablename__ = "proposals"
    __table_args__ = (
        ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        CheckConstraint("shown >= 0", name="from_zero"),
        CheckConstraint("(answer = 'open') = (answered_at IS NULL)", name="answered_once"),
        # Ids are in the custom ids of buttons: no id may be used twice.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    matter: Mapped[Matter]
    seat: Mapped[int]
    shown: Mapped[int]
    made_at: Mapped[datetime]
    answer: Mapped[Answer]
    answered_at: Mapped[datetime | None]
    computer: Mapped[int | None]
    """The computer player that is to take the seat."""
    told: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True if the other players were notified."""

    consents: Mapped[list[ConsentRow]] = relationship(lazy="raise")

    def value(self) -> Proposal:
        """Return the row as a value; `consents` must be loaded."""
        agreed = tuple(sorted(consent.seat for consent in self.consents))
        return self.read_as(Proposal, match=self.match_id, agreed=agreed)


PROPOSED = ProposalRow.answered_at.is_(None)

Index("ix_proposals_match_id_seat", ProposalRow.match_id, ProposalRow.seat)
partial("ix_proposals_open", PROPOSED, ProposalRow.match_id, ProposalRow.matter, unique=True)
