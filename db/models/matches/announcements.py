"""Results that wait for an announcement."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base


class AnnouncementRow(Base):
    """A match whose end, or whose result being taken back, has not been announced yet."""

    __tablename__ = "tidings"
    __table_args__ = (CheckConstraint("match_id > 0", name="of_a_match"),)

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    since: Mapped[datetime]
    """When it happened. The row is deleted only if this is unchanged after posting."""


Index("ix_tidings_since", AnnouncementRow.since)
