"""Acts of the owner of the bot: bans, the announcement of maintenance, and the log of both."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Typed, UserId
from db.values.administration import AdminAction, Announcement, Ban


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
        """Return the row as a value."""
        return Ban(self.digest, self.user_id, self.guild_id, self.reason, self.until, self.made_at, self.id)


class AnnouncementOfOwnerRow(Base):
    """The only row of its table: what the owner has all members told until a time."""

    __tablename__ = "maintenance"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str]
    until: Mapped[datetime]

    def value(self) -> Announcement:
        """Return the row as a value."""
        return Announcement(self.text, self.until)


class AdminActionRow(Base):
    """Something that an owner did with `/admin`."""

    __tablename__ = "admin_actions"
    __table_args__ = (CheckConstraint("what <> ''", name="something"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    user_id: Mapped[UserId | None]
    what: Mapped[Typed]

    def value(self) -> AdminAction:
        """Return the row as a value."""
        return AdminAction(self.at, self.user_id, self.what)
