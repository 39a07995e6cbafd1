"""Preferences and blocks of members. Members who chose nothing have no row."""

from datetime import datetime

from sqlalchemy import CheckConstraint, false, true
from sqlalchemy.orm import Mapped, mapped_column

from db.api.members.members import Member, Notice
from db.models.base import Base, UserId


class MemberRow(Base):
    """The preferences of a member."""

    __tablename__ = "members"

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    theme: Mapped[str | None]
    notice: Mapped[Notice] = mapped_column(default=Notice.PING)
    away_until: Mapped[datetime | None]
    forced: Mapped[bool] = mapped_column(default=False)
    listed: Mapped[bool] = mapped_column(default=True, server_default=true())
    computer: Mapped[bool] = mapped_column(default=False, server_default=false())

    def value(self) -> Member:
        """Return the row as a value."""
        return Member(
            self.user_id, self.theme, self.notice, self.away_until, self.forced, self.listed, self.computer
        )


class BlockRow(Base):
    """`user_id` wants no games with `blocked_id`."""

    __tablename__ = "blocks"
    __table_args__ = (CheckConstraint("user_id <> blocked_id", name="somebody_else"),)

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    blocked_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    blocked_at: Mapped[datetime]
