"""The interfaces for searches; the processes that search are outside the application (bot.search)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from rules.core.game import Seat
from rules.core.match import Match
from rules.players.explore import Worth
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.puzzles.moments import Moment


class Purpose(IntEnum):
    """The purpose of a search. Of searches that wait, those with the highest number come first."""

    REVIEW = 1
    HINT = 2
    MOVE = 3


class NoChoice(Exception):
    """A search gave no move, however small its budget. The text names no move."""


class Thinker(Protocol):
    """An interface for move searches, several at the same time."""

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        """Return a move for `seat`, which must be on turn. It is found from what that seat may see alone.

        The same match, budget and seed give the same choice, unless the search took too long and was repeated with a
        smaller budget. A call that is cancelled ends its search. Raises NoChoice.
        """


@dataclass(frozen=True, slots=True)
class Found:
    """The moments of a match in the order of the game, and the CPU time that the search took."""

    moments: tuple[Moment, ...]
    seconds: float


class Unsearched(Exception):
    """A match cannot be searched: it takes too long, or the process died several times."""


class MomentFinder(Protocol):
    """An interface for searching finished games in the background."""

    async def moments(self, match: Match) -> Found:
        """Return the moments of a finished match of two players.

        The search waits while moves are searched for, and begins again when one was asked for meanwhile. Raises
        Unsearched.
        """


class MoveJudge(Protocol):
    """An interface for judging every move of a position."""

    async def worths(self, match: Match) -> tuple[Worth, ...]:
        """Return the worth of each legal move where a seat is on turn and no move is hidden, the best move first.

        The search takes some seconds. Raises NoChoice.
        """


class Searches(Thinker, MomentFinder, MoveJudge, Protocol):
    """An interface for all kinds of searches."""
