"""Matches whose end their server has still to be told of."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base


class TidingRow(Base):
    """A match that has ended, or whose result was taken back, which has not been told yet."""

    __tablename__ = "tidings"
    __table_args__ = (CheckConstraint("match_id > 0", name="of_a_match"),)

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    since: Mapped[datetime]
    """When that was; what is told meanwhile may be older."""


Index("ix_tidings_since", TidingRow.since)
