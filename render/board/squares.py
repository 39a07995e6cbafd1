"""Squared paper: boards of square cells with a pencilled grid, letters and numbers, as large as the page allows."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from render.engine import fonts
from render.engine.scene import Area, Ink, Point, Role, Stroke, Text, rectangle
from rules.core.notation import Cell, letter

A1 = Cell(0, 0)


@dataclass(frozen=True, slots=True)
class Lattice:
    """`width` by `height` cells of 1 by 1.

    `left` and `top` are the upper left corner of all cells. `first` is the cell at the bottom left: a1, or another cell
    if only a part of a board is shown.
    """

    width: int
    height: int
    left: float = 0.0
    top: float = 0.0
    first: Cell = A1

    def middle(self, cell: Cell) -> Point:
        column, row = cell.column - self.first.column, cell.row - self.first.row
        return self.left + column + 0.5, self.top + self.height - row - 0.5

    def labels(self, away: float, size: float) -> Iterator[Text]:
        """Yield column letters below and row numbers to the left, their middles `away` from the cells."""
        below, beside = self.top + self.height + away, self.left - away
        for column in range(self.first.column, self.first.column + self.width):
            yield Text((self.middle(Cell(column, 0))[0], below), letter(column), size, Role.MUTED)
        for row in range(self.first.row, self.first.row + self.height):
            yield Text((beside, self.middle(Cell(0, row))[1]), str(row + 1), size, Role.MUTED)


_LABELS = 50.0
"""Page units for the letters and numbers."""
_LETTER = 36.0
"""The size of the letters and numbers where the cells are large enough, in page units."""
_EDGE = 6.0
"""Page units outside the grid on the other sides."""
_BEYOND = 11.0
"""Page units by which grid lines reach beyond a part of a board."""
PART = 8
"""Cells along the side of the smallest part of a board."""
SIDES = (PART, 10, 12)
"""Cells along the sides of parts: in twelve, numbers of three digits and all names can be read on a phone."""
_STEP, _AROUND = 2, 2
"""Cells by which such a part moves, and the least number of its cells on each side of the last one, except at edges."""
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
        """Return the largest board of `width` by `height` cells, with cells of at most `largest` page units."""
        return cls(width, height, min(largest, _ROOM / max(width, height)))

    @classmethod
    def around(cls, cells: Collection[Cell], width: int, height: int, largest: float) -> "Squares":
        """Return the part of a board of `width` by `height` cells that holds these cells.

        It also holds their neighbours if it has at most PART cells along each side then.
        """
        columns, rows = zip(*cells, strict=True)
        longest = max(max(places) - min(places) + 1 for places in (columns, rows))
        more = 1 if longest + 2 <= PART else 0
        left, right = max(min(columns) - more, 0), min(max(columns) + more, width - 1)
        low, high = max(min(rows) - more, 0), min(max(rows) + more, height - 1)
        part = cls.of(right - left + 1, high - low + 1, largest)
        return replace(part, first=Cell(left, low))

    @classmethod
    def near(cls, cells: Sequence[Cell], size: int, largest: float) -> "Squares":
        """Return a square part of a board of `size` by `size` cells that shows these cells.

        The part has two more cells around the last one, and its edges lie at every second cell, so that it stays for a
        while as cells are added. If the largest part is too small for all cells, it is the part around the last one.
        """
        if size <= PART:
            return cls.of(size, size, largest)
        last = [(place - _AROUND, place + _AROUND) for place in cells[-1]]
        bounds = [
            _bounds([*places, *around], size)
            for places, around in zip(zip(*cells, strict=True), last, strict=True)
        ]
        needed = max(high - low for low, high in bounds)
        side = next((side for side in SIDES if side >= needed), SIDES[-1])
        if side < needed:
            bounds = [_bounds(around, size) for around in last]
        side = min(side, size)
        starts = []
        for low, high in bounds:
            before = (side - (high - low)) // (2 * _STEP) * _STEP
            starts.append(max(0, min(low - before, size - side)))
        return replace(cls.of(side, side, largest), first=Cell(*starts))

    def holds(self, cell: Cell) -> bool:
        """Return True if a cell is in this part of the board."""
        column, row = cell.column - self.first.column, cell.row - self.first.row
        return 0 <= column < self.width and 0 <= row < self.height

    def edges(self, size: int) -> Iterator[Stroke]:
        """Yield the edges of this part of a board of `size` by `size` cells.

        Edges of the board are firmer than the grid. Where the board continues, the grid lines reach beyond the part.
        """
        left, top = self.units(_LABELS), self.units(_EDGE)
        right, bottom = left + self.width, top + self.height
        away, firm, thin = self.units(_BEYOND), self.units(6), self.units(2.5)
        columns, rows = range(self.width + 1), range(self.height + 1)
        for x, step, reached in (
            (left, -away, self.first.column == 0),
            (right, away, self.first.column + self.width == size),
        ):
            if reached:
                yield Stroke(((x, top), (x, bottom)), firm, Role.MUTED)
            else:
                yield from (Stroke(((x, top + y), (x + step, top + y)), thin, Role.GRID) for y in rows)
        for y, step, reached in (
            (bottom, away, self.first.row == 0),
            (top, -away, self.first.row + self.height == size),
        ):
            if reached:
                yield Stroke(((left, y), (right, y)), firm, Role.MUTED)
            else:
                yield from (Stroke(((left + x, y), (left + x, y + step)), thin, Role.GRID) for x in columns)

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
        return self.lattice.labels(self.units(_LABELS / 2), self.units(min(_LETTER, 0.86 * self.unit)))

    def box(self, text: Text) -> fonts.Box:
        """Return left, top, right and bottom of a text, all in cells, with a small margin."""
        x, y = text.at
        box = fonts.box(text._replace(at=(0, 0), size=text.size * self.unit))
        left, top, right, bottom = map(self.units, (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2))
        return x + left, y + top, x + right, y + bottom

    def ground(self, text: Text, ink: Ink = Role.PAGE) -> Area:
        """Return the area behind a text, whose units are cells, so that no line runs through it."""
        return Area(rectangle(*self.box(text)), ink)


def _bounds(places: Sequence[int], size: int) -> tuple[int, int]:
    """Return the first column or row to show of a board of `size` by `size` cells, and the one after the last."""
    low, high = min(places) // _STEP * _STEP, -(-(max(places) + 1) // _STEP) * _STEP
    return max(low, 0), min(high, size)
