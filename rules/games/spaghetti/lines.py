"""The rim of a board, and the lines between its sides."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from rules.core.bits import Bits, bit
from rules.core.lattice import cells
from rules.core.notation import Cell
from rules.games.spaghetti.state import Line


def sides(size: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The vertices of each side of the board, corners on both of theirs."""
    around = [*map(str, range(1, 4 * size + 1)), "1"]
    names = ("top", "right", "bottom", "left")
    return tuple((name, tuple(around[at * size : (at + 1) * size + 1])) for at, name in enumerate(names))


@cache
def rim_of(size: int) -> tuple[Cell, ...]:
    """The lattice points of vertices 1 to 4 * size."""
    top = [Cell(step, size) for step in range(size)]
    right = [Cell(size, size - step) for step in range(size)]
    bottom = [Cell(size - step, 0) for step in range(size)]
    left = [Cell(0, step) for step in range(size)]
    return (*top, *right, *bottom, *left)


@dataclass(frozen=True, slots=True)
class LineTable:
    """The tables of one size: the lines between two sides in order, each as a set of one, and those that pass through
    the inside of a square or end at a vertex."""

    lines: tuple[Line, ...]
    alone: Mapping[Line, Bits]
    through: Mapping[Cell, Bits]
    ending: Mapping[int, Bits]


@cache
def line_table(size: int) -> LineTable:
    """The tables of a size."""
    rim = rim_of(size)
    pairs = (Line(low, high) for low, high in combinations(range(1, 4 * size + 1), 2))
    lines = tuple(line for line in pairs if not _one_side(size, line))
    alone = {line: bit(number, len(lines)) for number, line in enumerate(lines)}
    through = dict.fromkeys(cells(size, size), 0)
    ending = dict.fromkeys(range(1, 4 * size + 1), 0)
    for line in lines:
        ending[line.low] |= alone[line]
        ending[line.high] |= alone[line]
        for square in _passed(rim[line.low - 1], rim[line.high - 1], cells(size, size)):
            through[square] |= alone[line]
    return LineTable(lines, alone, through, ending)


def _passed(a: Cell, b: Cell, squares: tuple[Cell, ...]) -> Iterator[Cell]:
    """The squares whose inside a line from rim to rim passes through: those with corners on both sides of it."""
    dx, dy = b.column - a.column, b.row - a.row
    least, most = min(dx, 0) + min(-dy, 0), max(dx, 0) + max(-dy, 0)
    for square in squares:
        # Twice the area of the triangle with the lower left corner; from corner to corner it changes by dx and dy.
        corner = dx * (square.row - a.row) - dy * (square.column - a.column)
        if corner + least < 0 < corner + most:
            yield square


def _one_side(size: int, line: Line) -> bool:
    (ax, ay), (bx, by) = (rim_of(size)[end - 1] for end in line)
    return (ax == bx and ax in (0, size)) or (ay == by and ay in (0, size))
