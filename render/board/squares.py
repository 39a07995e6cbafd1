"""Squared paper: boards of square cells with a pencilled grid, letters and numbers, as large as the page allows."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from render.board.lattice import A1, Lattice
from render.engine import fonts
from render.engine.scene import Area, Ink, Point, Role, Stroke, Text
from rules.core.notation import Cell

_LABELS = 50.0
"""Page units for the letters and numbers."""
_EDGE = 6.0
"""Page units outside the grid on the other sides."""
_ROOM = 800.0 - _LABELS - _EDGE
"""Page units for all cells, across and down."""


@dataclass(frozen=True, slots=True)
class Squares:
    """`width` by `height` cells of 1 by 1, each `unit` page units wide, with the cell `first` at the bottom left."""

    width: int
    height: int
    unit: float
    first: Cell = A1

    @classmethod
    def of(cls, width: int, height: int, largest: float) -> "Squares":
        """A whole board of `width` by `height` cells, as large as possible, each at most `largest` page units."""
        return cls(width, height, min(largest, _ROOM / max(width, height)))

    @classmethod
    def around(cls, cells: Collection[Cell], width: int, height: int, largest: float) -> "Squares":
        """The part of a board of `width` by `height` cells that holds these cells and their neighbours."""
        columns, rows = zip(*cells, strict=True)
        left, right = max(min(columns) - 1, 0), min(max(columns) + 1, width - 1)
        low, high = max(min(rows) - 1, 0), min(max(rows) + 1, height - 1)
        part = cls.of(right - left + 1, high - low + 1, largest)
        return replace(part, first=Cell(left, low))

    def units(self, length: float) -> float:
        """Convert a length from page units to cells."""
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
        """Yield the lines between the cells and around them."""
        left, top = self.units(_LABELS), self.units(_EDGE)
        width = self.units(2)
        for line in range(self.width + 1):
            yield Stroke(((left + line, top), (left + line, top + self.height)), width, Role.GRID)
        for line in range(self.height + 1):
            yield Stroke(((left, top + line), (left + self.width, top + line)), width, Role.GRID)

    def labels(self) -> Iterator[Text]:
        return self.lattice.labels(self.units(_LABELS / 2), self.units(26 if self.unit > 50 else 24))

    def ground(self, text: Text, ink: Ink = Role.PAGE) -> Area:
        """Return the area behind a text, whose units are cells, so that no line runs through it."""
        x, y = text.at
        box = fonts.box(replace(text, at=(0, 0), size=text.size * self.unit))
        left, top, right, bottom = map(self.units, (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2))
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        return Area(tuple((x + across, y + down) for across, down in corners), ink)
