"""Members who want to know when somebody looks for opponents, and the servers in which they want it."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, UserId
from db.types import Words


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
        ForeignKey("interests.user_id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)


Index("ix_interest_servers_guild_id", InterestServerRow.guild_id)
