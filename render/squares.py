"""Sheets of squared paper: how large their cells are on the page, the pencilled grid, the letters and numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from render import fonts
from render.lattice import Lattice
from render.scene import Area, Ink, Point, Role, Stroke, Text
from rules.core.notation import Cell

_ROOM = 800.0
"""Page units that a board may be wide and high."""
_LABELS = 50.0
"""Page units that the letters and numbers take."""
_EDGE = 6.0
"""Page units beyond the grid on the other sides."""


@dataclass(frozen=True, slots=True)
class Squares:
    """`size` by `size` cells of 1 by 1, the cell being `unit` page units wide."""

    size: int
    unit: float

    @classmethod
    def of(cls, size: int, largest: float) -> "Squares":
        """Cells as large as the page has room for, at most `largest` page units."""
        return cls(size, min(largest, (_ROOM - _LABELS - _EDGE) / size))

    def units(self, length: float) -> float:
        """A length on the page in cells."""
        return length / self.unit

    @property
    def extent(self) -> float:
        """Width and height, labels included, in cells."""
        return self.size + self.units(_LABELS + _EDGE)

    @property
    def lattice(self) -> Lattice:
        return Lattice(self.size, self.size, self.units(_LABELS), self.units(_EDGE))

    def middle(self, cell: Cell) -> Point:
        return self.lattice.middle(cell)

    def grid(self) -> Iterator[Stroke]:
        """The lines between the cells."""
        left, top, size = self.units(_LABELS), self.units(_EDGE), self.size
        width = self.units(2)
        for line in range(size + 1):
            yield Stroke(((left + line, top), (left + line, top + size)), width, Role.GRID)
            yield Stroke(((left, top + line), (left + size, top + line)), width, Role.GRID)

    def labels(self) -> Iterator[Text]:
        return self.lattice.labels(self.units(_LABELS / 2), self.units(26 if self.unit > 50 else 24))

    def ground(self, text: Text, ink: Ink = Role.PAGE) -> Area:
        """What lies under a text in units of cells, so that no line runs through it."""
        x, y = text.at
        box = fonts.box(replace(text, at=(0, 0), size=text.size * self.unit))
        left, top, right, bottom = map(self.units, (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2))
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        return Area(tuple((x + across, y + down) for across, down in corners), ink)
