"""Areas within closed lines: their hatching, the roomiest point in them, and what meets a box."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from render.engine.fonts import Box
from render.engine.scene import Ink, Point, Stroke

_TINY = 1e-9
"""The greatest distance of points that count as one."""
_DIGITS = 6
"""Decimals of a coordinate, so that every machine gives the same line."""


def hatch(
    loops: Iterable[Sequence[Point]], pitch: float, slant: float, width: float, ink: Ink, wobble: float = 0.5
) -> Iterator[Stroke]:
    """Return lines `pitch` apart in the area that lies inside an odd number of the closed `loops`.

    The lines rise to the right at `slant` degrees. The lines of neighbouring areas meet. Pieces shorter than `width`
    are left out.
    """
    right, down = math.cos(math.radians(slant)), -math.sin(math.radians(slant))
    met: defaultdict[int, list[float]] = defaultdict(list)
    for loop in loops:
        # The points by their reach along the lines, and their level across them, in lines.
        turned = [(x * right + y * down, (y * right - x * down) / pitch) for x, y in loop]
        for one, other in pairwise((*turned, turned[0])):
            (start, low), (end, high) = sorted((one, other), key=lambda it: it[1])
            for level in range(math.ceil(low), math.ceil(high)):
                met[level].append(start + (end - start) * (level - low) / (high - low))
    for level in sorted(met):
        x, y = -down * level * pitch, right * level * pitch
        ends = _distinct(sorted(met[level]))
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            if end - start > width:
                points = (_rounded(x + reach * right, y + reach * down) for reach in (start, end))
                yield Stroke((*points,), width, ink, wobble)


def _distinct(reaches: Iterable[float]) -> list[float]:
    """Return sorted numbers without pairs of equal ones, which a loop leaves where it runs there and back."""
    left: list[float] = []
    for reach in reaches:
        if left and reach - left[-1] < _TINY:
            left.pop()
        else:
            left.append(reach)
    return left


def _rounded(x: float, y: float) -> Point:
    return round(x, _DIGITS), round(y, _DIGITS)


@lru_cache(maxsize=512)
def label_point(outline: tuple[Point, ...]) -> tuple[Point, float]:
    """Return the point inside an outline that is farthest from it (the pole of inaccessibility), and that distance.

    Squares are quartered as long as a point in them may be farther by a thousandth of the size of the outline.
    """
    sides = (*_sides(outline),)
    (left, right), (top, bottom) = ((min(places), max(places)) for places in zip(*outline, strict=True))
    size = max(right - left, bottom - top)
    best, room = outline[0], 0.0
    squares = [_Square.of(sides, (left + right) / 2, (top + bottom) / 2, size / 2)]
    while squares and -squares[0].bound > room + size / 1000:
        _, gap, x, y, half = heappop(squares)
        if gap > room:
            best, room = (x, y), gap
        half /= 2
        for across in (x - half, x + half):
            for down in (y - half, y + half):
                heappush(squares, _Square.of(sides, across, down, half))
    return best, room


class _Square(NamedTuple):
    """A square in which the point may be, by its middle and half of its side; the best one comes first."""

    bound: float
    """The most that the gap can be in the square, negated."""
    gap: float
    """The gap in the middle."""
    x: float
    y: float
    half: float

    @classmethod
    def of(cls, sides: Iterable["_Side"], x: float, y: float, half: float) -> "_Square":
        gap = _gap(sides, x, y)
        return cls(-gap - half * math.sqrt(2), gap, x, y, half)


_Side = tuple[Point, Point, Point, float]
"""The two ends of a side, the way from one to the other, and the square of its length."""


def _sides(outline: Sequence[Point]) -> Iterator[_Side]:
    """Yield the sides of an outline, without those along which it runs there and back."""
    found = [*pairwise((*outline, outline[0]))]
    for start, end in found:
        if (end, start) not in found and start != end:
            way = end[0] - start[0], end[1] - start[1]
            yield start, end, way, way[0] ** 2 + way[1] ** 2


def _gap(sides: Iterable[_Side], x: float, y: float) -> float:
    """Return the distance of a point from the nearest side, negative outside."""
    nearest, inside = math.inf, False
    for (ax, ay), (_, by), (dx, dy), square in sides:
        px, py = x - ax, y - ay
        if (ay <= y) != (by <= y) and px < dx * py / dy:
            inside = not inside
        share = (px * dx + py * dy) / square
        if share > 0:
            share = min(1.0, share)
            px, py = px - share * dx, py - share * dy
        nearest = min(nearest, px * px + py * py)
    return math.sqrt(nearest) if inside else -math.sqrt(nearest)


def crosses(box: Box, start: Point, end: Point) -> bool:
    """Return whether a straight line has a point in a box."""
    left, top, right, bottom = box
    (ax, ay), (bx, by) = start, end
    if (ax < left and bx < left) or (right < ax and right < bx):
        return False
    if (ay < top and by < top) or (bottom < ay and bottom < by):
        return False
    # All corners are on the same side of a line that passes the box.
    dx, dy = bx - ax, by - ay
    high, low = dx * (top - ay), dx * (bottom - ay)
    west, east = dy * (left - ax), dy * (right - ax)
    return min(high, low) <= max(west, east) and min(west, east) <= max(high, low)


def away(at: Point, left: float, top: float, right: float, bottom: float) -> float:
    """Return the distance of a point from a rectangle, 0 inside it."""
    x, y = at
    return math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom))
