"""Challenges, open and answered."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, Snowflake, partial
from db.types import Options
from db.values import Answer, Challenge, Place
from rules.core.match import Setup


class ChallengeRow(Base):
    """A challenge. It is open as long as it has no `answered_at`, whatever the time."""

    __tablename__ = "challenges"
    __table_args__ = (
        CheckConstraint("players > 0", name="somebody_plays"),
        CheckConstraint("expires_at >= made_at", name="expires_later"),
        CheckConstraint("(answer = 'open') = (answered_at IS NULL)", name="answered_once"),
        CheckConstraint("(answer = 'accepted') = (match_id IS NOT NULL)", name="accepted_is_a_match"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[Options]
    players: Mapped[int]
    guild: Mapped[Snowflake | None]
    channel: Mapped[Snowflake]
    challenger: Mapped[Snowflake]
    opponent: Mapped[Snowflake]
    made_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    answer: Mapped[Answer]
    answered_at: Mapped[datetime | None]
    message: Mapped[Snowflake | None]
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), unique=True)

    def value(self) -> Challenge:
        """The challenge as the store gives it."""
        return Challenge(
            id=self.id,
            setup=Setup(self.game, self.options, self.players),
            place=Place(self.guild, self.channel),
            challenger=self.challenger,
            opponent=self.opponent,
            made_at=self.made_at,
            expires_at=self.expires_at,
            answer=self.answer,
            message=self.message,
            match=self.match_id,
        )


OPEN = ChallengeRow.answered_at.is_(None)

partial("ix_challenges_open_expires_at", OPEN, ChallengeRow.expires_at)
partial("ix_challenges_open_challenger", OPEN, ChallengeRow.challenger)
partial("ix_challenges_open_opponent", OPEN, ChallengeRow.opponent)
partial("ix_challenges_open_channel", OPEN, ChallengeRow.channel)
