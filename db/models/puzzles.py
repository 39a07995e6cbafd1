"""Lessons that members passed, puzzles, and moments of matches."""

import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, UserId
from db.types import Words
from db.values.puzzles import Attempt, Progress, PuzzleRun
from db.values.standings import Skill


class LessonRow(Base):
    """The progress of a member in the lesson of a game."""

    __tablename__ = "lessons"
    __table_args__ = (CheckConstraint("step >= 0", name="from_zero"),)

    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(primary_key=True)
    step: Mapped[int]
    moves: Mapped[Words]
    done: Mapped[bool]

    def value(self) -> Progress:
        return Progress(self.user_id, self.game, self.step, self.moves, self.done)


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
        return self.read_as(Attempt, user=self.user_id, begun=self.begun_at, ended=self.ended_at)


class PuzzleRunRow(Base):
    """A puzzle run of a member. Runs are deleted when the member begins another one some weeks later."""

    __tablename__ = "puzzle_runs"
    __table_args__ = (
        CheckConstraint("solved >= 0 AND mistakes >= 0", name="from_zero"),
        Index(None, "guild", "begun_at"),
        Index(None, "user_id", "begun_at"),
        # The buttons of a deleted run must not belong to a later one.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[UserId]
    guild: Mapped[GuildId | None]
    begun_at: Mapped[datetime.datetime]
    puzzle: Mapped[str]
    moves: Mapped[Words]
    solved: Mapped[int]
    mistakes: Mapped[int]

    def value(self) -> PuzzleRun:
        return self.read_as(PuzzleRun, user=self.user_id, begun=self.begun_at)


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


class MomentRow(Base):
    """A position of a finished match that is a puzzle: its place in the match, what was played, and the line.

    The server is that of the match, repeated here so that an index finds the newest of a server.
    """

    __tablename__ = "moments"
    __table_args__ = (
        CheckConstraint("ply >= 0", name="from_zero"),
        CheckConstraint("user_id > 0", name="of_somebody"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guild: Mapped[GuildId]
    seat: Mapped[int]
    user_id: Mapped[UserId] = mapped_column(index=True)
    played: Mapped[str]
    line: Mapped[Words]
    value: Mapped[float]
    plies: Mapped[int]
    worth: Mapped[int]


Index("ix_moments_guild_match_id", MomentRow.guild, MomentRow.match_id, MomentRow.ply)
