"""The queue of direct messages."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, UserId
from db.values.posts import News, Occasion, QueuedMessage


class DirectMessageRow(Base):
    """A direct message that is still to be sent. The row is deleted once the message was sent."""

    __tablename__ = "direct_messages"
    __table_args__ = (
        UniqueConstraint("user_id", "occasion", "subject", "number"),
        # Discord recognizes a message that is sent twice by this id: no id may be used twice.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[UserId]
    guild: Mapped[GuildId | None]
    occasion: Mapped[Occasion]
    subject: Mapped[int]
    number: Mapped[int]
    due_at: Mapped[datetime]

    def value(self) -> QueuedMessage:
        """Return the row as a value."""
        return QueuedMessage(
            self.id, self.user_id, self.guild, News(self.occasion, self.subject, self.number)
        )


Index("ix_direct_messages_due_at", DirectMessageRow.due_at, DirectMessageRow.id)
Index("ix_direct_messages_guild", DirectMessageRow.guild)
