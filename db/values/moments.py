"""Moments of finished games: positions that are puzzles (rules.puzzles.moments), found by background searches."""

from dataclasses import dataclass

from db.values.places import DiscordId
from rules.core.game import Seat


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
        """True if the only move was played."""
        return self.played == self.line[0]
