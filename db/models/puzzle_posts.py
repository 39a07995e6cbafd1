"""The posts of the puzzle of the day."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.api.puzzle_posts import PuzzlePost
from db.models.base import Base, GuildId, Snowflake, partial


class PuzzlePostRow(Base):
    """The post of the puzzle of a day in a server."""

    __tablename__ = "puzzle_posts"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(primary_key=True, index=True)
    channel: Mapped[Snowflake]
    message: Mapped[Snowflake | None]
    tried_at: Mapped[datetime | None]
    settled: Mapped[bool]
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


OPEN_POSTS = PuzzlePostRow.message.is_not(None) & PuzzlePostRow.closed.is_(False)

partial("ix_puzzle_posts_open", OPEN_POSTS, PuzzlePostRow.day)
