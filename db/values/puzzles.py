"""Puzzles: which one a day has, how members have done them, and the skills of members and of puzzles."""

from dataclasses import dataclass
from datetime import datetime

from db.values.places import DiscordId
from db.values.standings.ratings import NEWCOMER, Skill


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
class Solver:
    """A member as a solver: their skill at puzzles, and how many they have ended and solved."""

    skill: Skill = NEWCOMER
    ended: int = 0
    solved: int = 0
