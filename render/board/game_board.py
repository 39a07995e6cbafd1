"""The drawn board of a game, which each game registers by the type of its view."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch

from render.board.seats import Item
from render.board.spots import Spot, no_spot
from render.engine.scene import Group, Shape
from rules.core.match import Observation


@dataclass(frozen=True, slots=True)
class Board:
    """A drawn board. Its shapes, labels included, lie between (0, 0) and (`width`, `height`) in units of its own.

    `unit` is the largest size of a unit, in page units, so that a board of few cells does not grow too large.
    `scored` is True if the board itself shows the scores, so that the page need not.
    `note` says in a few words why a finished game is over.
    `trophy` stands beside the result of a finished game: a group from -1 to 1 in its own unit.
    `legend` is a line under the board that explains it, at most 800 page units wide.
    `correction` is a line below the legend that explains the marks of rejected moves or of an advice.
    `spot` finds the spot of a canonical name: that of a move, a cell or another thing; None if it is not on this board.
    """

    width: float
    height: float
    unit: float
    shapes: tuple[Shape, ...]
    scored: bool = False
    note: str = ""
    trophy: Group | None = None
    legend: tuple[Item, ...] = ()
    correction: tuple[Item, ...] = ()
    spot: Callable[[str], Spot | None] = no_spot


@singledispatch
def draw_board(view: object, seen: Observation) -> Board:
    """Return the board of `view`, which is always `seen.board`. Each game registers its own function."""
    raise LookupError(f"No picture is registered for {type(view).__name__}: add a module to render/games.")
