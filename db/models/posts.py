"""Messages that the bot maintains, and the queue of direct messages."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, false, or_
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Snowflake, UserId, partial
from db.values.posts import Companion, News, Occasion, Post, PostKind, QueuedMessage


class PostRow(Base):
    """A message that the bot maintains: its desired version, and the version that Discord shows."""

    __tablename__ = "posts"
    __table_args__ = (
        UniqueConstraint("kind", "subject", "key"),
        CheckConstraint("shown <= version", name="shows_what_was"),
        # Messages carry this id, so that they can be found again: no id may be used twice.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[PostKind]
    subject: Mapped[Snowflake]
    key: Mapped[str] = mapped_column(server_default="", default="")
    guild: Mapped[GuildId | None] = mapped_column(index=True)
    channel: Mapped[Snowflake]
    version: Mapped[int] = mapped_column(server_default="1", default=1)
    due_at: Mapped[datetime]
    """The time from which a pending post is to be shown."""
    shown: Mapped[int | None]
    message: Mapped[Snowflake | None]
    progress: Mapped[int] = mapped_column(server_default="0", default=0)
    pinned: Mapped[bool] = mapped_column(server_default=false(), default=False)
    companions: Mapped[tuple[Companion, ...]] = mapped_column(server_default="[]", default=())
    tried_at: Mapped[datetime | None]

    def value(self) -> Post:
        return self.read_as(Post)


PENDING = or_(PostRow.shown.is_(None), PostRow.shown != PostRow.version, PostRow.tried_at.is_not(None))

partial("ix_posts_pending_due_at", PENDING, PostRow.due_at, PostRow.id)
partial("ix_posts_pending_channel", PENDING, PostRow.channel)


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
    guild: Mapped[GuildId | None] = mapped_column(index=True)
    occasion: Mapped[Occasion]
    subject: Mapped[int]
    number: Mapped[int]
    due_at: Mapped[datetime]
    reserved: Mapped[bool] = mapped_column(server_default=false(), default=False)
    """True if `due_at` is the time that is reserved for opening the channel."""

    def value(self) -> QueuedMessage:
        news = News(self.occasion, self.subject, self.number)
        return QueuedMessage(self.id, self.user_id, self.guild, news, self.due_at if self.reserved else None)


class OpeningPaceRow(Base):
    """The only row of its table: the pace at which channels of direct messages are opened."""

    __tablename__ = "opening_pace"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    free_at: Mapped[datetime]
    paused_until: Mapped[datetime]


Index("ix_direct_messages_due_at", DirectMessageRow.due_at, DirectMessageRow.id)
