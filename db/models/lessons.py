"""The progress of members in lessons. A lesson that was not begun has no row."""

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, UserId
from db.types import Words
from db.values.puzzles import Progress


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
        """Return the row as a value."""
        return Progress(self.user_id, self.game, self.step, self.moves, self.done)
