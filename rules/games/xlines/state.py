"""The moves, the state and the view of X's and Lines."""

from dataclasses import dataclass, field
from typing import NamedTuple

from rules.core.bits import Bits
from rules.core.frozen import frozen
from rules.core.game import Seat
from rules.core.notation import Cell


class Line(NamedTuple):
    """A line from the middle of one cell to that of another, through at most one corner."""

    start: Cell
    corner: Cell | None
    end: Cell

    def __str__(self) -> str:
        return "-".join(str(cell) for cell in self if cell is not None)


@frozen
class XLinesState:
    """The x's and lines in the order in which they came.

    Also, as sets of the board's cells: the x's (`held`), and the cells that lines run straight through, by direction.
    `open` are the lines that may be drawn now; they follow from all else.
    """

    size: int
    xs: tuple[Cell, ...] = ()
    lines: tuple[Line, ...] = ()
    held: Bits = 0
    level: Bits = 0
    upright: Bits = 0
    open: tuple[Line, ...] = field(default=(), compare=False)

    @property
    def placing(self) -> bool:
        return len(self.xs) < self.size

    @property
    def mover(self) -> Seat:
        """Seat 0 places the first x, and seat 0 draws the first line."""
        return len(self.xs if self.placing else self.lines) % 2

    @property
    def pen(self) -> Cell | None:
        """The x that the next line starts from, once there is a line."""
        return self.lines[-1].end if self.lines else None

    @property
    def used(self) -> tuple[Cell, ...]:
        """The x's that a line has been drawn to or from, in the order of the lines."""
        return ends_of(self.lines)


@dataclass(frozen=True, slots=True)
class XLinesView:
    """The view of everyone: x's and lines in order, the x that the pen is on, the x's that lines have used, the lines
    that can be drawn now, and the cells (later the x's) that can be played to."""

    size: int
    xs: tuple[Cell, ...]
    lines: tuple[Line, ...]
    pen: Cell | None
    used: tuple[Cell, ...]
    open: tuple[Line, ...]
    choices: tuple[Cell, ...]


def ends_of(lines: tuple[Line, ...]) -> tuple[Cell, ...]:
    """The x's that a trail of lines runs to or from, in its order."""
    return (lines[0].start, *[line.end for line in lines]) if lines else ()
