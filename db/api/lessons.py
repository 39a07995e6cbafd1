"""Lessons: how far a member has come in the lesson of each game."""

from dataclasses import dataclass
from typing import Protocol

from db.api.places import DiscordId


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a member in a lesson.

    `step` is the step that comes next, counted from 0, and `moves` are the texts of the moves that were played in it
    so far. `done` is True if the member has ever come to its end.
    """

    user: DiscordId
    game: str
    step: int = 0
    moves: tuple[str, ...] = ()
    done: bool = False


class LessonStore(Protocol):
    """The progress of members in lessons."""

    async def progress(self, user: DiscordId, game: str) -> Progress:
        """Return how far a member has come in the lesson of a game: at its beginning if nothing is stored."""

    async def all_progress(self, user: DiscordId) -> list[Progress]:
        """Return how far a member has come in every lesson that they have begun, by the keys of the games."""

    async def keep_progress(self, progress: Progress) -> None:
        """Store how far a member has come in a lesson. A lesson that was done stays done."""
