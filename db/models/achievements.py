"""Achievements of members."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, UserId


class AwardRow(Base):
    """A match that proves an achievement of a member.

    All such matches are stored, not only the first: if the result of that one is taken back, the next is the first.
    `earned_at` is when the match ended, repeated here so that an index finds the first.
    """

    __tablename__ = "awards"
    __table_args__ = (CheckConstraint("user_id > 0", name="is_somebody"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(primary_key=True)
    earned_at: Mapped[datetime]


Index("ix_awards_user_id_key", AwardRow.user_id, AwardRow.key, AwardRow.earned_at, AwardRow.match_id)
