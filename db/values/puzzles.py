"""Lessons, puzzles, and the moments of finished matches that become puzzles."""

from dataclasses import dataclass
from datetime import datetime

from db.values.places import DiscordId
from db.values.standings import NEWCOMER, Skill
from rules.core.game import Seat


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


class AttemptMovedOn(Exception):
    """The attempt is no longer as it was when the move was made; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The first attempt of a member at a puzzle, which is the only one that counts.

    `moves` are the member's own moves: the only moves that they have found, and the wrong one that ended the attempt.
    `solved` and `ended` are None while it goes on. `guild` is the server in which it was begun. `again` are the moves
    of a later try, which does not count; None if there is none.
    """

    user: DiscordId
    puzzle: str
    begun: datetime
    moves: tuple[str, ...] = ()
    solved: bool | None = None
    ended: datetime | None = None
    guild: DiscordId | None = None
    again: tuple[str, ...] | None = None

    @property
    def found(self) -> int:
        """The number of only moves that the member has found."""
        return len(self.moves) - (self.solved is False)


@dataclass(frozen=True, slots=True)
class PuzzleRun:
    """A puzzle run of a member: puzzles one after the other, within a limited time and with few mistakes.

    `guild` is the server in which it was begun, None in direct messages. `solved` and `mistakes` count the puzzles that
    have ended. `puzzle` is the one that is shown, and `moves` are the only moves that the member has found in it.
    """

    id: int
    user: DiscordId
    guild: DiscordId | None
    begun: datetime
    puzzle: str
    moves: tuple[str, ...] = ()
    solved: int = 0
    mistakes: int = 0


@dataclass(frozen=True, slots=True)
class Solver:
    """A member as a solver: their skill at puzzles, and how many they have ended and solved."""

    skill: Skill = NEWCOMER
    ended: int = 0
    solved: int = 0


@dataclass(frozen=True, slots=True)
class StoredMoment:
    """A moment of a match of a server: `user`, who sat on `seat`, was to move after `ply` moves and played `played`.

    `game` is the key of the game. `line`, `value` and `plies` are those of the puzzle (rules.puzzles.puzzle). `worth`
    compares moments with each other.
    """

    match: int
    ply: int
    seat: Seat
    user: DiscordId
    game: str
    played: str
    line: tuple[str, ...]
    value: float
    plies: int
    worth: int

    @property
    def found(self) -> bool:
        """Return True if the only move was played."""
        return self.played == self.line[0]
