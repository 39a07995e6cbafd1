"""Vote games: their schedule and the votes for their moves."""

from datetime import datetime, timedelta

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Snowflake, UserId, partial


class VoteGameRow(Base):
    """A match in which the members of a server vote for its moves."""

    __tablename__ = "vote_games"
    __table_args__ = (CheckConstraint("every > 0", name="takes_time"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    every: Mapped[timedelta]
    """The time between two ends of a vote."""
    first_at: Mapped[datetime]
    """The end of the first vote, whose time of day in `zone` later ends keep."""
    zone: Mapped[str] = mapped_column(server_default="UTC")
    due_at: Mapped[datetime | None]
    """The end of the vote; NULL once the game is over."""
    named: Mapped[bool]
    """True if the board says who votes for what."""
    extended: Mapped[bool] = mapped_column(server_default=false(), default=False)


class InvitationRow(Base):
    """The newest offer of a vote game by a server to another one; deleted when that one accepts it."""

    __tablename__ = "vote_invitations"
    __table_args__ = (CheckConstraint("every > 0", name="takes_time"),)

    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    channel: Mapped[Snowflake]
    home: Mapped[Snowflake | None]
    code: Mapped[str] = mapped_column(unique=True)
    game: Mapped[str]
    every: Mapped[timedelta]
    first_at: Mapped[datetime]
    zone: Mapped[str] = mapped_column(server_default="UTC")
    named: Mapped[bool]
    made_at: Mapped[datetime]


class VoteRow(Base):
    """A vote for the entry `ply` of a match. A member has one for each; former members are numbers below zero."""

    __tablename__ = "votes"
    __table_args__ = (
        UniqueConstraint("match_id", "ply", "user_id"),
        CheckConstraint("ply >= 0", name="from_zero"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    ply: Mapped[int]
    user_id: Mapped[UserId] = mapped_column(index=True)
    move: Mapped[str]
    voted_at: Mapped[datetime]


class VolunteerRow(Base):
    """A member who offers to play the secret moves of a seat in a phase; former members are numbers below zero."""

    __tablename__ = "volunteers"
    __table_args__ = (
        UniqueConstraint("match_id", "seat", "phase", "user_id"),
        CheckConstraint("out_at IS NULL OR drawn_at IS NOT NULL", name="drawn_before_out"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    seat: Mapped[int]
    phase: Mapped[str]
    user_id: Mapped[UserId] = mapped_column(index=True)
    drawn_at: Mapped[datetime | None]
    out_at: Mapped[datetime | None]
    """The time at which another volunteer was drawn, or hints were played, in the place of this one."""


partial("ix_vote_games_due_at", VoteGameRow.due_at.is_not(None), VoteGameRow.due_at)
