"""Lessons: how far a member has come in the lesson of each game."""

from dataclasses import dataclass

from db.values.places import DiscordId


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
