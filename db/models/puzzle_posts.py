"""The posts of puzzles in servers: of the puzzle of the day, and of the best moment of a week."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.api.puzzle_posts import PuzzlePost
from db.models.base import Base, GuildId, Snowflake, partial


class PostColumns:
    """The columns of a table of posts of which a server gets one for a day."""

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(primary_key=True, index=True)
    channel: Mapped[Snowflake]
    message: Mapped[Snowflake | None]
    tried_at: Mapped[datetime | None]
    settled: Mapped[bool]


class PuzzlePostRow(PostColumns, Base):
    """The post of the puzzle of a day in a server."""

    __tablename__ = "puzzle_posts"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    tried: Mapped[int]
    solved: Mapped[int]
    closed: Mapped[bool]

    def value(self) -> PuzzlePost:
        """Return the row as a value."""
        return PuzzlePost(
            self.guild_id,
            self.day,
            self.channel,
            self.message,
            self.tried_at,
            self.settled,
            self.tried,
            self.solved,
            self.closed,
        )


class MomentPostRow(PostColumns, Base):
    """The post of the best moment of the week before a Monday in a server."""

    __tablename__ = "moment_posts"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    def value(self) -> PuzzlePost:
        """Return the row as a value."""
        return PuzzlePost(self.guild_id, self.day, self.channel, self.message, self.tried_at, self.settled)


OPEN_POSTS = PuzzlePostRow.message.is_not(None) & PuzzlePostRow.closed.is_(False)

partial("ix_puzzle_posts_open", OPEN_POSTS, PuzzlePostRow.day)
