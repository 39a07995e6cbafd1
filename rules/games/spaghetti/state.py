"""The moves, the state and the view of Uncooked Spaghetti and Square Meatballs."""

from dataclasses import dataclass
from typing import NamedTuple

from rules.core.bits import Bits
from rules.core.frozen import frozen
from rules.core.game import Seat
from rules.core.notation import Cell
from rules.core.plane import Point


class Line(NamedTuple):
    """A line by the numbers of its ends, the lower first. Vertex 1 is the top left corner; they go on clockwise."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    def crosses(self, other: "Line") -> bool:
        """True if the lines meet inside the board: then just one end of the other lies between the ends of this one.

        All four ends must differ. Lines never run along the rim, so they share no stretch and no single rim point.
        """
        return (self.low < other.low < self.high) != (self.low < other.high < self.high)


Move = Cell | Line


@frozen
class SpaghettiState:
    """`filled` and `lines` in the order made; `open` are the lines (of `LineTable.lines`) that
    no filled square and no used end forbids."""

    size: int
    open: Bits
    filled: tuple[Cell, ...] = ()
    lines: tuple[Line, ...] = ()
    points: tuple[int, int] = (0, 0)

    @property
    def filling(self) -> bool:
        return len(self.filled) < self.size

    @property
    def over(self) -> bool:
        return not self.filling and not self.open

    @property
    def mover(self) -> Seat:
        # Seat 0 fills first, seat 1 draws first, whoever filled last.
        return len(self.filled) % 2 if self.filling else (len(self.lines) + 1) % 2


@dataclass(frozen=True, slots=True)
class SpaghettiView:
    """The view of every seat and of spectators.

    `spots[i]` is the lattice point of vertex i + 1 (a1 at the bottom left corner of the board). Line i was drawn by
    seat (i + 1) % 2 and met the lines before it in `crossings[i]`, a point each for the other seat. Of `squares` and
    `choices`, the squares that may be filled and the lines that may be drawn now, one at least is empty.
    """

    size: int
    spots: tuple[Cell, ...]
    filled: tuple[Cell, ...]
    lines: tuple[Line, ...]
    crossings: tuple[tuple[Point, ...], ...]
    points: tuple[int, int]
    squares: tuple[Cell, ...]
    choices: tuple[Line, ...]
