"""Titles of members, and the roles of servers that mirror them."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, true
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Snowflake, UserId, partial
from db.values.titles import TitleKind


class TitleRow(Base):
    """A title of a member in a server.

    `role` is the role that Discord has confirmed for it. Once it is not `wanted` any more, the role is taken away, and
    the row is deleted when Discord has confirmed that.
    """

    __tablename__ = "titles"
    __table_args__ = (CheckConstraint("guild > 0", name="in_a_server"),)

    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[TitleKind] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"))
    earned_at: Mapped[datetime]
    role: Mapped[Snowflake | None]
    wanted: Mapped[bool] = mapped_column(server_default=true(), default=True)


class TitleRoleRow(Base):
    """The role that mirrors a kind of title in a server."""

    __tablename__ = "title_roles"
    __table_args__ = (CheckConstraint("guild > 0", name="in_a_server"),)

    guild: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[TitleKind] = mapped_column(primary_key=True)
    role: Mapped[Snowflake]


Index("ix_titles_user_id", TitleRow.user_id)
partial("ix_titles_event_id", TitleRow.event_id.is_not(None), TitleRow.event_id)
GIVEN = TitleRow.role.is_not(None)
WITHOUT_ROLE = TitleRow.role.is_(None)

partial("ix_titles_given_earned_at", GIVEN, TitleRow.earned_at)
partial("ix_titles_without_role_earned_at", WITHOUT_ROLE, TitleRow.earned_at)
