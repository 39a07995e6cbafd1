"""The grid of tiles that pictures are put together from.

Tiles are drawn in rows: what reaches into a row is cut for it, and in it the tiles are chosen.
"""

import math
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from render.engine.brush import LESS_FINE, Box, Dots, Filled, Layer, Line, Round

_SIDE = 60
"""Page units: about the side of a tile."""
_REACH = 1
"""Pixels of a picture that is smaller than its page: how far from itself each of them takes in the page."""


@dataclass(frozen=True, slots=True)
class Part:
    """A layer in a row of tiles, in pixels of the row's own sheet. The bits of `columns` are the tiles it reaches."""

    layer: Layer
    columns: int


@dataclass(frozen=True, slots=True)
class Grid:
    """The tiles of all pictures of one size: `side` by `side` page units, `pixels` by `pixels` in the picture.

    `margin` is the number of page units around a tile that show in it, because the picture is smaller than the page.
    `fine` is the number of pixels for each page unit while it is drawn.
    """

    side: int
    pixels: int
    columns: int
    margin: int
    fine: int

    @classmethod
    def of(cls, page: int, width: int, fine: int = LESS_FINE) -> "Grid":
        """Return the grid of pictures `width` pixels wide, from pages of `page` units."""
        common = math.gcd(page, width)
        side, pixels = page // common, width // common
        times = max(1, _SIDE // side)
        margin = 0 if page == width else math.ceil(_REACH * page / width)
        return cls(side * times, pixels * times, math.ceil(page / (side * times)), margin, fine)

    @property
    def sheet(self) -> tuple[int, int]:
        """The size of the sheet of a row, in its pixels: the row with the margin around it."""
        wide, high = self.columns * self.side + 2 * self.margin, self.side + 2 * self.margin
        return wide * self.fine, high * self.fine

    def rows(self, height: int) -> int:
        """Return the number of rows on a page of this height."""
        return math.ceil(height / self.side)

    def corner(self, row: int) -> tuple[int, int]:
        """Return the page point at the top left of the sheet of a row."""
        return -self.margin, row * self.side - self.margin

    def reached(self, box: Box) -> Iterator[tuple[int, int]]:
        """Yield the rows into which a box reaches, which is in pixels of the page's sheet, with the columns as bits."""
        if columns := self._columns(box[0], box[2]):
            for row in self._rows(box[1], box[3]):
                yield row, columns

    def cut(self, layers: Iterable[Layer]) -> dict[int, list[Part]]:
        """Return by row what of these layers reaches into it."""
        parts: dict[int, list[Part]] = {}
        for layer in layers:
            for row, part in self._cut(layer):
                parts.setdefault(row, []).append(part)
        return parts

    def _cut(self, layer: Layer) -> Iterator[tuple[int, Part]]:
        match layer:
            case Line():
                yield from self._cut_line(layer)
            case Filled():
                yield from self._cut_area(layer)
            case Round():
                left, top, right, bottom = layer.box
                for row, columns in self.reached((left - 1, top - 1, right + 1, bottom + 1)):
                    x, y = self._shift(row)
                    box = left + x, top + y, right + x, bottom + y
                    yield row, Part(Round(layer.ink, box, layer.width), columns)

    def _cut_line(self, line: Line) -> Iterator[tuple[int, Part]]:
        for run in self._runs(line.points, line.width // 2 + 2):
            if columns := self._columns(run.left, run.right):
                points = self._shifted(line.points[2 * run.first : 2 * run.last + 2], run.row)
                yield run.row, Part(Line(line.ink, points, line.width), columns)

    def _cut_area(self, area: Filled) -> Iterator[tuple[int, Part]]:
        edge = array("f", [*area.points, *area.points[:2]])
        crossed: dict[int, int] = {}
        for run in self._runs(edge, 2):
            crossed[run.row] = crossed.get(run.row, 0) | self._columns(run.left, run.right)
        side, (_, high) = self.side * self.fine, self.sheet
        for row, columns in crossed.items():
            if columns and (near := self._near(area.points, row)):
                yield row, Part(Filled(area.ink, near), columns)
            for column in self._inside(edge, row, columns):
                left, right = column * side, (column + 1) * side + high - side - 1
                square = array("f", (left, 0, right, 0, right, high - 1, left, high - 1))
                yield row, Part(Filled(area.ink, square), 1 << column)

    def _inside(self, edge: Dots, row: int, crossed: int) -> Iterator[int]:
        """Yield the tiles of a row that lie in an area and are not crossed by its edge."""
        free = self._columns(min(edge[::2]), max(edge[::2])) & ~crossed
        if not free:
            return
        side = self.side * self.fine
        middle = row * side + side // 2
        borders = [
            ax + (bx - ax) * (middle - ay) / (by - ay)
            for ax, ay, bx, by in _segments(edge)
            if (ay <= middle) != (by <= middle)
        ]
        for column in range(self.columns):
            at = column * side + side // 2
            if free >> column & 1 and sum(border < at for border in borders) % 2:
                yield column

    def _near(self, points: Dots, row: int) -> Dots:
        """Return an area in a row without the points that make no difference there."""
        x, y = self._shift(row)
        _, high = self.sheet
        sides = [(at + y > high) - (at + y < 0) for at in points[1::2]]
        count, near = len(sides), array("f")
        for number, side in enumerate(sides):
            if not side or side != sides[number - 1] or side != sides[(number + 1) % count]:
                near.extend((points[2 * number] + x, points[2 * number + 1] + y))
        return near

    def _runs(self, points: Dots, rim: int) -> Iterator["_Run"]:
        """Yield the runs of a line through the rows; what is at most `rim` from the line counts."""
        xs, ys = points[::2], points[1::2]
        rows = self._rows(min(ys) - rim, max(ys) + rim)
        if len(rows) == 1:
            yield _Run(rows[0], 0, len(xs) - 1, min(xs) - rim, max(xs) + rim)
            return
        latest: dict[int, _Run] = {}
        for number, (ax, ay, bx, by) in enumerate(_segments(points)):
            rows = self._rows(min(ay, by) - rim, max(ay, by) + rim)
            for row in rows:
                start, end = (ax, bx) if len(rows) == 1 else self._clipped(ax, ay, bx, by, row, rim)
                left, right = min(start, end) - rim, max(start, end) + rim
                run = latest.get(row)
                if run is not None and run.last == number:
                    run.last, run.left, run.right = number + 1, min(run.left, left), max(run.right, right)
                    continue
                if run is not None:
                    yield run
                latest[row] = _Run(row, number, number + 1, left, right)
        yield from latest.values()

    def _clipped(self, ax: float, ay: float, bx: float, by: float, row: int, rim: int) -> tuple[float, float]:
        """Return from where to where a straight line runs in a row and the rim around it."""
        if ay == by:
            return ax, bx
        _, y = self._shift(row)
        top, bottom = -rim - y, self.sheet[1] + rim - y
        start, end = (ax + (bx - ax) * min(1, max(0, (it - ay) / (by - ay))) for it in (top, bottom))
        return start, end

    def _rows(self, top: float, bottom: float) -> range:
        """Return the rows between two heights of the page's sheet."""
        side, margin = self.side * self.fine, self.margin * self.fine
        return range(max(0, int((top - margin) // side)), int((bottom + margin) // side) + 1)

    def _columns(self, left: float, right: float) -> int:
        """Return the columns between two places of the page's sheet, as bits."""
        side, margin = self.side * self.fine, self.margin * self.fine
        first = max(0, int((left - margin) // side))
        last = min(self.columns - 1, int((right + margin) // side))
        return (1 << last + 1) - (1 << first) if first <= last else 0

    def _shift(self, row: int) -> tuple[int, int]:
        """Return what to add to a point of the page's sheet to find it on the sheet of a row."""
        x, y = self.corner(row)
        return -x * self.fine, -y * self.fine

    def _shifted(self, points: Dots, row: int) -> Dots:
        x, y = self._shift(row)
        return array(
            "f", [at for a, b in zip(points[::2], points[1::2], strict=True) for at in (a + x, b + y)]
        )


@dataclass(slots=True)
class _Run:
    """A run of a line through a row: its first and its last point, and from where to where it reaches."""

    row: int
    first: int
    last: int
    left: float
    right: float


def _segments(points: Dots) -> Iterator[tuple[float, float, float, float]]:
    for (ax, bx), (ay, by) in zip(pairwise(points[::2]), pairwise(points[1::2]), strict=True):
        yield ax, ay, bx, by


def column_runs(columns: int) -> Iterator[range]:
    """Yield the columns of these bits as ranges without a gap."""
    column = 0
    while columns >> column:
        if columns >> column & 1:
            first = column
            while columns >> column & 1:
                column += 1
            yield range(first, column)
        else:
            column += 1
