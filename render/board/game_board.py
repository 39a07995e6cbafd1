"""What a game adds to be drawn: its board, bound by the type of its view."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch

from render.board.inline import Item
from render.board.spots import Spot, no_spot
from render.engine.scene import Group, Shape
from rules.core.match import Observation


@dataclass(frozen=True, slots=True)
class Board:
    """A drawn board. Its shapes lie between (0, 0) and (`width`, `height`) in units of its own, labels included.

    `unit` is the greatest sensible size of a unit, in page units: a board of few cells is not blown up beyond it.
    `scored` says that the scores stand on the board itself, so the frame leaves them out.
    `note` says in a few words why a finished game is over.
    `trophy` goes on the poster of a finished game, under the board: a group that reaches from -1 to 1 in its unit.
    `legend` goes on one line under the board, on a poster too: at most 800 page units of what explains the board.
    `correction` goes on a line below that: what the marks on a refused move mean.
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
    """The board that `view` (always `seen.board`) shows. Each game registers its own."""
    raise LookupError(f"No picture is registered for {type(view).__name__}: add a module to render/games.")
