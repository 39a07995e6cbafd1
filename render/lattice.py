"""Boards of square cells: where a cell is, and the letters and numbers along the edges."""

from collections.abc import Iterator
from dataclasses import dataclass

from render.scene import Point, Role, Text
from rules.core.notation import Cell, letter


@dataclass(frozen=True, slots=True)
class Lattice:
    """`width` by `height` cells of 1 by 1, a1 at the bottom left; `left` and `top` are where the cells begin."""

    width: int
    height: int
    left: float = 0.0
    top: float = 0.0

    def middle(self, cell: Cell) -> Point:
        """The centre of a cell."""
        return self.left + cell.column + 0.5, self.top + self.height - cell.row - 0.5

    def labels(self, away: float, size: float) -> Iterator[Text]:
        """Column letters below and row numbers to the left, their middles `away` from the cells."""
        below = self.top + self.height + away
        for column in range(self.width):
            yield Text((self.left + column + 0.5, below), letter(column), size, Role.MUTED)
        for row in range(self.height):
            yield Text((self.left - away, self.top + self.height - row - 0.5), str(row + 1), size, Role.MUTED)
