"""Moments of finished games."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.api.puzzle_posts import PuzzlePost
from db.models.base import Base, GuildId, Snowflake, UserId
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


class MomentPostRow(Base):
    """The post of the best moment of the week before a Monday in a server."""

    __tablename__ = "moment_posts"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(primary_key=True, index=True)
    channel: Mapped[Snowflake]
    message: Mapped[Snowflake | None]
    tried_at: Mapped[datetime | None]
    settled: Mapped[bool]

    def value(self) -> PuzzlePost:
        """Return the row as a value."""
        return PuzzlePost(self.guild_id, self.day, self.channel, self.message, self.tried_at, self.settled)


Index("ix_moments_guild_match_id", MomentRow.guild, MomentRow.match_id, MomentRow.ply)
Index("ix_moments_user_id", MomentRow.user_id)
