"""Boards of running games that are pinned in their channels."""

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from db.api.matches.pins import Pin
from db.models.base import Base, Snowflake


class PinRow(Base):
    """A board that is pinned, or is to be pinned."""

    __tablename__ = "pins"
    __table_args__ = (CheckConstraint("message > 0", name="is_a_message"),)

    message: Mapped[Snowflake] = mapped_column(primary_key=True, autoincrement=False)
    channel: Mapped[Snowflake]
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), index=True)
    pinned: Mapped[bool] = mapped_column(default=False)

    def value(self) -> Pin:
        """Return the row as a value."""
        return Pin(self.match_id, self.channel, self.message, self.pinned)
