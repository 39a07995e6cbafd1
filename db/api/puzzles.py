"""Puzzles: which one a day has, how members have done them, and the skills of members and of puzzles."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from db.api.places import DiscordId
from db.api.standings.ratings import NEWCOMER, Skill


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


class PuzzleStore(Protocol):
    """The puzzles of days, the attempts of members, and skills at puzzles."""

    async def choose_day_puzzle(self, day: date, puzzle: str) -> str:
        """Make a puzzle that of a day unless the day has one, and return the name of the one that it has."""

    async def day_puzzle(self, day: date) -> str | None:
        """Return the name of the puzzle of a day; None if none is chosen yet."""

    async def days_of_puzzle(self, puzzle: str) -> list[date]:
        """Return the days whose puzzle this was or is, the last one first."""

    async def attempt(self, user: DiscordId, puzzle: str) -> Attempt | None:
        """Return a member's attempt at a puzzle; None if they have not made a move in it."""

    async def attempted(self, user: DiscordId) -> dict[str, bool | None]:
        """Return the names of the puzzles in which a member has made a move, and if they have solved them.

        None is an attempt that goes on.
        """

    async def keep_attempt(self, before: Attempt, after: Attempt, start: Skill | None) -> None:
        """Store an attempt after another move.

        If the move ends it, the skills of the member and of the puzzle change in the same transaction; `start` is the
        skill of a puzzle that nobody has tried before, None if no skill is to change. Raises AttemptMovedOn if the
        attempt is not as in `before`.
        """

    async def try_again(self, user: DiscordId, puzzle: str, moves: tuple[str, ...] | None) -> None:
        """Store the moves of a later try at a puzzle; None ends it. Nothing is stored if there was no first attempt."""

    async def puzzle_results(
        self,
        puzzle: str,
        before: datetime,
        *,
        users: Collection[DiscordId] | None = None,
        guild: DiscordId | None = None,
    ) -> list[Attempt]:
        """Return the attempts at a puzzle that ended before a time: the solved ones first, then the earliest ended.

        Of all members, or of these `users`, or of those who began in this server.
        """

    async def solved_days(self, user: DiscordId) -> list[tuple[date, datetime]]:
        """Return each day whose puzzle a member has solved, and when they did; the last day first."""

    async def solver(self, user: DiscordId) -> Solver:
        """Return a member as a solver."""
