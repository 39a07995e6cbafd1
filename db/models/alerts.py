"""Channels about which those who run the server have been alerted."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Snowflake


class AlertRow(Base):
    """The last alert about a channel."""

    __tablename__ = "alerts"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    channel_id: Mapped[Snowflake] = mapped_column(primary_key=True, autoincrement=False)
    guild_id: Mapped[GuildId]
    alerted_at: Mapped[datetime]
