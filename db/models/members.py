"""Preferences, last activity, blocks and interests of members."""

from datetime import date, datetime, timedelta

from sqlalchemy import CheckConstraint, ForeignKey, false, true
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, UserId
from db.types import Words
from db.values.members import Digest, Member, Notice


class MemberRow(Base):
    """The preferences of a member. Everybody of whom anything is stored has a row (db.stores.privacy)."""

    __tablename__ = "members"

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    theme: Mapped[str | None]
    notice: Mapped[Notice] = mapped_column(default=Notice.PING)
    away_until: Mapped[datetime | None]
    forced: Mapped[bool] = mapped_column(default=False)
    listed: Mapped[bool] = mapped_column(default=True, server_default=true())
    next_game: Mapped[bool] = mapped_column(default=True, server_default=true())
    confirms: Mapped[bool] = mapped_column(default=False, server_default=false())
    conditional: Mapped[bool] = mapped_column(default=True, server_default=true())
    computer: Mapped[bool] = mapped_column(default=False, server_default=false())
    absent_since: Mapped[datetime | None]
    absent_until: Mapped[datetime | None]
    absent_before: Mapped[timedelta] = mapped_column(default=timedelta(0), server_default="0")
    active_on: Mapped[date | None] = mapped_column(index=True)
    """The last day on which they used the bot; NULL until the next round of the background task, and for computers."""
    look_up_on: Mapped[date | None] = mapped_column(index=True)
    """The day on which Discord is asked if the account still exists, unless they use the bot before."""

    def value(self) -> Member:
        return self.read_as(Member, user=self.user_id)


class DigestRow(Base):
    """The daily message to a member; only one whose notice is `digest` is sent."""

    __tablename__ = "digests"
    __table_args__ = (CheckConstraint("hour BETWEEN 0 AND 23", name="hour"),)

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    hour: Mapped[int]
    zone: Mapped[str]
    due_at: Mapped[datetime] = mapped_column(index=True)
    since: Mapped[datetime | None]
    until: Mapped[datetime | None]

    def value(self) -> Digest:
        return Digest(self.user_id, self.due_at, self.hour, self.zone, self.since, self.until)


class BlockRow(Base):
    """A block: `user_id` wants no games with `blocked_id`."""

    __tablename__ = "blocks"
    __table_args__ = (CheckConstraint("user_id <> blocked_id", name="somebody_else"),)

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    blocked_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    blocked_at: Mapped[datetime]


class InterestRow(Base):
    """The wish of a member to be told of open challenges."""

    __tablename__ = "interests"
    __table_args__ = (
        CheckConstraint("first_hour BETWEEN 0 AND 23", name="first_hour"),
        CheckConstraint("end_hour BETWEEN 1 AND 24", name="end_hour"),
        CheckConstraint("most > 0", name="some"),
    )

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    games: Mapped[Words]
    first_hour: Mapped[int]
    end_hour: Mapped[int]
    zone: Mapped[str]
    most: Mapped[int]
    told_at: Mapped[datetime | None]
    told_on: Mapped[date | None]
    told: Mapped[int] = mapped_column(default=0)


class InterestServerRow(Base):
    """A server of whose open challenges a member wants to be told."""

    __tablename__ = "interest_servers"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    user_id: Mapped[UserId] = mapped_column(
        ForeignKey("interests.user_id", ondelete="CASCADE"), primary_key=True
    )
    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False, index=True)
