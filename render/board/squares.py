"""Sheets of squared paper: how large their cells are on the page, the pencilled grid, the letters and numbers."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from render.board.lattice import A1, Lattice
from render.engine import fonts
from render.engine.scene import Area, Ink, Point, Role, Stroke, Text
from rules.core.notation import Cell

_LABELS = 50.0
"""Page units that the letters and numbers take."""
_EDGE = 6.0
"""Page units beyond the grid on the other sides."""
_ROOM = 800.0 - _LABELS - _EDGE
"""Page units that the cells may take, across and down."""


@dataclass(frozen=True, slots=True)
class Squares:
    """`width` by `height` cells of 1 by 1, the cell being `unit` page units wide, with `first` at the bottom left."""

    width: int
    height: int
    unit: float
    first: Cell = A1

    @classmethod
    def of(cls, size: int, largest: float) -> "Squares":
        """A whole board, its cells as large as the page has room for, at most `largest` page units."""
        return cls(size, size, min(largest, _ROOM / size))

    @classmethod
    def around(cls, cells: Collection[Cell], size: int, largest: float) -> "Squares":
        """The part of a board of `size` by `size` that some cells are in, with those around it."""
        columns, rows = zip(*cells, strict=True)
        left, right = max(min(columns) - 1, 0), min(max(columns) + 1, size - 1)
        low, high = max(min(rows) - 1, 0), min(max(rows) + 1, size - 1)
        width, height = right - left + 1, high - low + 1
        return cls(width, height, min(largest, _ROOM / max(width, height)), Cell(left, low))

    def units(self, length: float) -> float:
        """A length on the page in cells."""
        return length / self.unit

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height, labels included, in cells."""
        rim = self.units(_LABELS + _EDGE)
        return self.width + rim, self.height + rim

    @property
    def lattice(self) -> Lattice:
        return Lattice(self.width, self.height, self.units(_LABELS), self.units(_EDGE), self.first)

    def middle(self, cell: Cell) -> Point:
        return self.lattice.middle(cell)

    def grid(self) -> Iterator[Stroke]:
        """The lines between the cells."""
        left, top = self.units(_LABELS), self.units(_EDGE)
        width = self.units(2)
        for line in range(self.width + 1):
            yield Stroke(((left + line, top), (left + line, top + self.height)), width, Role.GRID)
        for line in range(self.height + 1):
            yield Stroke(((left, top + line), (left + self.width, top + line)), width, Role.GRID)

    def labels(self) -> Iterator[Text]:
        return self.lattice.labels(self.units(_LABELS / 2), self.units(26 if self.unit > 50 else 24))

    def ground(self, text: Text, ink: Ink = Role.PAGE) -> Area:
        """What lies under a text in units of cells, so that no line runs through it."""
        x, y = text.at
        box = fonts.box(replace(text, at=(0, 0), size=text.size * self.unit))
        left, top, right, bottom = map(self.units, (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2))
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        return Area(tuple((x + across, y + down) for across, down in corners), ink)
