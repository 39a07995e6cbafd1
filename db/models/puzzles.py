"""The puzzles of days, the attempts of members at puzzles, and skills at puzzles."""

import datetime

from sqlalchemy import CheckConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, UserId
from db.types import Words
from db.values.puzzles import Attempt
from db.values.standings import Skill


class PuzzleDayRow(Base):
    """The puzzle of a day, as it was chosen."""

    __tablename__ = "puzzle_days"
    __table_args__ = (CheckConstraint("puzzle <> ''", name="named"), Index(None, "puzzle"))

    day: Mapped[datetime.date] = mapped_column(primary_key=True)
    puzzle: Mapped[str]


class PuzzleAttemptRow(Base):
    """The first attempt of a member at a puzzle."""

    __tablename__ = "puzzle_attempts"
    __table_args__ = (
        CheckConstraint("(solved IS NULL) = (ended_at IS NULL)", name="ended_or_not"),
        Index(None, "puzzle", "ended_at"),
    )

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    puzzle: Mapped[str] = mapped_column(primary_key=True)
    guild: Mapped[GuildId | None]
    """The server in which it was begun; None in direct messages, and once the data of the server was deleted."""
    moves: Mapped[Words]
    solved: Mapped[bool | None]
    begun_at: Mapped[datetime.datetime]
    ended_at: Mapped[datetime.datetime | None]
    again: Mapped[Words | None]

    def value(self) -> Attempt:
        """Return the row as a value."""
        return Attempt(
            self.user_id,
            self.puzzle,
            self.begun_at,
            self.moves,
            self.solved,
            self.ended_at,
            self.guild,
            self.again,
        )


class PuzzleSolverRow(Base):
    """The skill of a member at puzzles. A member who has ended no attempt has no row."""

    __tablename__ = "puzzle_solvers"
    __table_args__ = (CheckConstraint("solved <= ended", name="solved_of_ended"),)

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    mu: Mapped[float]
    sigma: Mapped[float]
    ended: Mapped[int]
    solved: Mapped[int]

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)


class PuzzleSkillRow(Base):
    """The skill of a puzzle against its solvers. A puzzle that nobody has ended has no row."""

    __tablename__ = "puzzle_skills"
    __table_args__ = (CheckConstraint("sigma > 0", name="uncertain"),)

    puzzle: Mapped[str] = mapped_column(primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)
