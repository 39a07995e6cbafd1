"""The port through which the application asks for a search; the processes that search are outside (`bot.search`)."""

from enum import IntEnum
from typing import Protocol

from rules.core.game import Seat
from rules.core.match import Match
from rules.players.levels import Budget
from rules.players.player import Choice


class Purpose(IntEnum):
    """The purpose of a search. Of searches that wait, those with the highest number come first."""

    REVIEW = 1
    HINT = 2
    MOVE = 3


class NoChoice(Exception):
    """A search gave no move, however small its budget. The text names no move."""


class Thinker(Protocol):
    """Searches for moves, several at a time, while other things are done."""

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        """Return a move for `seat`, which must be on turn. It is found from what that seat may see alone.

        The same match, budget and seed give the same choice, unless the search took too long and was repeated with a
        smaller budget. A call that is cancelled ends its search. Raises NoChoice.
        """
