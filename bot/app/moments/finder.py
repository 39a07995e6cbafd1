"""The port through which finished games are searched for moments; the processes are outside (`bot.search`)."""

from dataclasses import dataclass
from typing import Protocol

from rules.core.match import Match
from rules.puzzles.moments import Moment


@dataclass(frozen=True, slots=True)
class Found:
    """The moments of a match in the order of the game, and the CPU time that the search took."""

    moments: tuple[Moment, ...]
    seconds: float


class Unsearched(Exception):
    """A match cannot be searched: it takes too long, or the process died several times."""


class MomentFinder(Protocol):
    """Searches finished games in the background."""

    async def moments(self, match: Match) -> Found:
        """Return the moments of a finished match of two players.

        The search waits while moves are searched for, and begins again when one was asked for meanwhile. Raises
        Unsearched.
        """
