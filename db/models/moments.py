"""Moments of finished games."""

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, UserId
from db.types import Words


class MomentRow(Base):
    """A position of a finished match that is a puzzle: its place in the match, what was played, and the line.

    The server is that of the match, repeated here so that an index finds the newest of a server.
    """

    __tablename__ = "moments"
    __table_args__ = (
        CheckConstraint("ply >= 0", name="from_zero"),
        CheckConstraint("user_id > 0", name="of_somebody"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guild: Mapped[GuildId]
    seat: Mapped[int]
    user_id: Mapped[UserId]
    played: Mapped[str]
    line: Mapped[Words]
    value: Mapped[float]
    plies: Mapped[int]
    worth: Mapped[int]


Index("ix_moments_guild_match_id", MomentRow.guild, MomentRow.match_id, MomentRow.ply)
Index("ix_moments_user_id", MomentRow.user_id)
