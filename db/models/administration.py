"""Administration: bans, announcements and actions of the owner, the last activity of each shard, and failed items."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Typed, UserId
from db.values.administration import AdminAction, Announcement, Ban
from db.values.failures import FailedItem


class BanRow(Base):
    """A member or a server that may not use the bot. `digest` recognizes them once their id is deleted."""

    __tablename__ = "bans"
    __table_args__ = (CheckConstraint("user_id IS NULL OR guild_id IS NULL", name="one_of_both"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    user_id: Mapped[UserId | None]
    guild_id: Mapped[GuildId | None]
    reason: Mapped[Typed]
    until: Mapped[datetime | None]
    made_at: Mapped[datetime]

    def value(self) -> Ban:
        return Ban(self.digest, self.user_id, self.guild_id, self.reason, self.until, self.made_at, self.id)


class AnnouncementOfOwnerRow(Base):
    """The only row of its table: what the owner has all members told until a time."""

    __tablename__ = "maintenance"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str]
    until: Mapped[datetime]

    def value(self) -> Announcement:
        return Announcement(self.text, self.until)


class AdminActionRow(Base):
    """An action of an owner with `/admin`."""

    __tablename__ = "admin_actions"
    __table_args__ = (CheckConstraint("what <> ''", name="something"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    user_id: Mapped[UserId | None]
    what: Mapped[Typed]

    def value(self) -> AdminAction:
        return AdminAction(self.at, self.user_id, self.what)


class AliveRow(Base):
    """A shard, of so many, renewed every few seconds while a process connects it to Discord.

    Rows of another number of shards than today's are from before that was changed.
    """

    __tablename__ = "alive"
    __table_args__ = (CheckConstraint("shard BETWEEN 0 AND shards - 1", name="one_of_them"),)

    shards: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    shard: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]


class FailedItemRow(Base):
    """An item that a background task could not process. The row is deleted once the item succeeds."""

    __tablename__ = "failed_items"
    __table_args__ = (CheckConstraint("times > 0", name="failed"),)

    task: Mapped[str] = mapped_column(primary_key=True)
    item: Mapped[str] = mapped_column(primary_key=True)
    error: Mapped[str]
    times: Mapped[int]
    since: Mapped[datetime]
    retry_at: Mapped[datetime | None]
    """NULL if the item is set aside: only an operator can have it retried."""

    def value(self) -> FailedItem:
        return self.read_as(FailedItem)
