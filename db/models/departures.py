"""Servers that the host has left, while what is kept of them waits to be deleted."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId


class DepartureRow(Base):
    """A server that the host is not in any more."""

    __tablename__ = "departures"
    __table_args__ = (CheckConstraint("guild_id > 0", name="is_a_server"),)

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    left_at: Mapped[datetime]
