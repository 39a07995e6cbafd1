"""The grid of tiles that pictures are put together from."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from render.engine.brush import FINE, Box, Coat, Dot, Filled, Line, Round

_SIDE = 60
"""Page units: about the side of a tile."""
_REACH = 1
"""Pixels of a picture that is smaller than its page: how far from itself each of them takes in the page."""
_LESS_FINE = 2
"""Pixels of a sheet for each page unit, if the picture has fewer."""
_LONG = 90
"""Pixels of a sheet: longer parts of a line are cut, to see which tiles they reach."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The tiles of all pictures of one size: `side` by `side` page units, `pixels` by `pixels` in the picture.

    `margin` is the number of page units around a tile that show in it, because the picture is smaller than the page.
    `fine` is the number of pixels for each page unit while it is drawn.
    Tiles are counted from 0, row by row.
    """

    side: int
    pixels: int
    columns: int
    margin: int
    fine: int

    @classmethod
    def of(cls, page: int, width: int) -> "Grid":
        """Return the grid of pictures `width` pixels wide, from pages of `page` units."""
        common = math.gcd(page, width)
        side, pixels = page // common, width // common
        times = max(1, _SIDE // side)
        margin, fine = (0, FINE) if page == width else (math.ceil(_REACH * page / width), _LESS_FINE)
        return cls(side * times, pixels * times, math.ceil(page / (side * times)), margin, fine)

    def rows(self, height: int) -> int:
        """Return the number of rows on a page of this height."""
        return math.ceil(height / self.side)

    def corner(self, tile: int) -> tuple[int, int]:
        """Return the page point at the top left of a tile, its margin included."""
        row, column = divmod(tile, self.columns)
        return column * self.side - self.margin, row * self.side - self.margin

    def reached(self, box: Box) -> Sequence[int]:
        """Return the tiles into which a box reaches, which is in pixels of the sheet."""
        side, margin, columns = self.side * self.fine, self.margin * self.fine, self.columns
        first, last = max(0, (box[0] - margin) // side), min(columns - 1, (box[2] + margin) // side)
        top, bottom = max(0, (box[1] - margin) // side), (box[3] + margin) // side
        if top == bottom:
            return range(top * columns + first, top * columns + last + 1)
        return [row * columns + it for row in range(top, bottom + 1) for it in range(first, last + 1)]

    def cut(self, coats: Iterable[Coat]) -> dict[int, list[Coat]]:
        """Return by tile what of these coats reaches into it, in pixels of the tile's own sheet."""
        parts: dict[int, list[Coat]] = {}
        for coat in coats:
            for tile, part in self._cut(coat):
                parts.setdefault(tile, []).append(part)
        return parts

    def _cut(self, coat: Coat) -> Iterator[tuple[int, Coat]]:
        match coat:
            case Line():
                yield from self._cut_line(coat)
            case Filled():
                yield from self._cut_area(coat)
            case Round():
                left, top, right, bottom = coat.box
                for tile in self.reached((left - 1, top - 1, right + 1, bottom + 1)):
                    x, y = self._fine_corner(tile)
                    yield tile, Round(coat.ink, (left - x, top - y, right - x, bottom - y), coat.width)

    def _cut_line(self, line: Line) -> Iterator[tuple[int, Line]]:
        for tile, runs in self._runs(line.points, line.width // 2 + 2).items():
            x, y = self._fine_corner(tile)
            for first, last in runs:
                points = line.points[first : last + 1]
                yield tile, Line(line.ink, [(a - x, b - y) for a, b in points], line.width)

    def _cut_area(self, area: Filled) -> Iterator[tuple[int, Filled]]:
        edge = [*area.points, area.points[0]]
        crossed = self._runs(edge, 2)
        xs, ys = zip(*edge, strict=True)
        side, whole = self.side * self.fine, (self.side + 2 * self.margin) * self.fine - 1
        inside: dict[int, list[int]] = {}
        """By the height of the middle of a tile, where the edge crosses that height, from left to right."""
        for tile in self.reached((min(xs) - 1, min(ys) - 1, max(xs) + 1, max(ys) + 1)):
            x, y = self._fine_corner(tile)
            if tile in crossed:
                yield tile, Filled(area.ink, [(a - x, b - y) for a, b in area.points])
                continue
            middle = y + side // 2
            if middle not in inside:
                inside[middle] = [
                    round(ax + (bx - ax) * (middle - ay) / (by - ay))
                    for (ax, ay), (bx, by) in pairwise(edge)
                    if (ay <= middle) != (by <= middle)
                ]
            if sum(at < x + side // 2 for at in inside[middle]) % 2:
                yield tile, Filled(area.ink, [(0, 0), (whole, 0), (whole, whole), (0, whole)])

    def _runs(self, points: Sequence[Dot], rim: int) -> dict[int, list[tuple[int, int]]]:
        """Return for each tile the first and the last point of each run of a line through it; what is at most `rim`
        from the line counts."""
        runs: dict[int, list[tuple[int, int]]] = {}
        for number, (start, end) in enumerate(pairwise(points)):
            for tile in self._along(start, end, rim):
                through = runs.setdefault(tile, [])
                if through and through[-1][1] == number:
                    through[-1] = through[-1][0], number + 1
                else:
                    through.append((number, number + 1))
        return runs

    def _along(self, start: Dot, end: Dot, rim: int) -> Iterable[int]:
        """Return the tiles that are at most `rim` from the straight line between two points, each once."""
        (ax, ay), (bx, by) = start, end
        pieces = 1 + max(abs(bx - ax), abs(by - ay)) // _LONG
        if pieces == 1:
            return self.reached((min(ax, bx) - rim, min(ay, by) - rim, max(ax, bx) + rim, max(ay, by) + rim))
        steps = [(ax + (bx - ax) * it // pieces, ay + (by - ay) * it // pieces) for it in range(pieces + 1)]
        return {tile for one, other in pairwise(steps) for tile in self._along(one, other, rim)}

    def _fine_corner(self, tile: int) -> tuple[int, int]:
        x, y = self.corner(tile)
        return x * self.fine, y * self.fine
