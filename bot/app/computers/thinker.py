"""The port through which the application asks for a search; the processes that search are outside (`bot.search`)."""

from dataclasses import dataclass
from typing import Protocol

from rules.core.game import Seat
from rules.core.match import Match


@dataclass(frozen=True, slots=True)
class Budget:
    """The effort of one search: a level, or a number of nodes. Exactly one of them is given."""

    level: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if (self.level is None) == (self.nodes is None):
            raise ValueError("A budget is a level or a number of nodes.")


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that a search found, as canonical text.

    `value` is the expected share of the win for the seat that moves (1 win, 0.5 draw, 0 loss). It is proved if `exact`.
    With more than two seats, `shares` may hold every seat's expected share. `visits` counts the playouts of the move.
    """

    move: str
    value: float
    exact: bool
    nodes: int
    shares: tuple[float, ...] = ()
    visits: int = 0


class NoChoice(Exception):
    """A search gave no move, however small its budget. The text names no move."""


class Thinker(Protocol):
    """Searches for moves, several at a time, while other things are done."""

    async def choose(self, match: Match, seat: Seat, budget: Budget, seed: int = 0) -> Choice:
        """Return a move for `seat`, which must be on turn. It is found from what that seat may see alone.

        The same match, budget and seed give the same choice, unless the search took too long and was repeated with a
        smaller budget. Raises NoChoice.
        """
