"""Messages that are to be changed or deleted once they no longer hold."""

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.api.matches.passing_messages import PassingMessage
from db.models.base import Base, Snowflake


class PassingMessageRow(Base):
    """A board that was replaced, or (with a seat) a call to a player."""

    __tablename__ = "passing_messages"
    __table_args__ = (
        ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        CheckConstraint("plies >= 0", name="from_zero"),
        CheckConstraint("(seat IS NULL) = (until IS NOT NULL)", name="board_or_call"),
    )

    message: Mapped[Snowflake] = mapped_column(primary_key=True, autoincrement=False)
    channel: Mapped[Snowflake]
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    plies: Mapped[int]
    until: Mapped[int | None]
    seat: Mapped[int | None]

    def value(self) -> PassingMessage:
        """Return the row as a value."""
        return PassingMessage(self.match_id, self.channel, self.message, self.plies, self.until, self.seat)


Index("ix_passing_messages_match_id_seat", PassingMessageRow.match_id, PassingMessageRow.seat)
