"""Lattices of square cells: the middles of the cells, and the letters and numbers along the edges."""

from collections.abc import Iterator
from dataclasses import dataclass

from render.engine.scene import Point, Role, Text
from rules.core.notation import Cell, letter

A1 = Cell(0, 0)


@dataclass(frozen=True, slots=True)
class Lattice:
    """`width` by `height` cells of 1 by 1. `left` and `top` are the upper left corner of all cells. `first` is the cell
    at the bottom left: a1, or another cell if only a part of a board is shown."""

    width: int
    height: int
    left: float = 0.0
    top: float = 0.0
    first: Cell = A1

    def middle(self, cell: Cell) -> Point:
        """Return the middle of a cell."""
        column, row = cell.column - self.first.column, cell.row - self.first.row
        return self.left + column + 0.5, self.top + self.height - row - 0.5

    def labels(self, away: float, size: float) -> Iterator[Text]:
        """Yield column letters below and row numbers to the left, their middles `away` from the cells."""
        below, beside = self.top + self.height + away, self.left - away
        for column in range(self.first.column, self.first.column + self.width):
            yield Text((self.middle(Cell(column, 0))[0], below), letter(column), size, Role.MUTED)
        for row in range(self.first.row, self.first.row + self.height):
            yield Text((beside, self.middle(Cell(0, row))[1]), str(row + 1), size, Role.MUTED)
