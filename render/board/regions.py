"""Where in a region of any shape a number has most room."""

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from render.engine.scene import Point

_LEVELS = 15
"""Heights at which a first place for a number is looked for."""


def roomiest(corners: Sequence[Point]) -> tuple[Point, float]:
    """About the point inside a polygon that is furthest from its boundary, and that distance."""
    low, high = (edge(y for _, y in corners) for edge in (min, max))
    rows = [low + (high - low) * (level + 0.5) / _LEVELS for level in range(_LEVELS)]
    inside = [
        (start + (end - start) * share, y)
        for y in rows
        for start, end in _spans(corners, y)
        for share in (0.2, 0.35, 0.5, 0.65, 0.8)
    ]
    best = max(inside, key=lambda point: _distance(corners, point))
    step = (high - low) / _LEVELS
    while step > 0.5:
        x, y = best
        near = [(x + step * a, y + step * b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        better = max(near, key=lambda point: _inside(corners, point) * _distance(corners, point))
        if better == best:
            step /= 2
        best = better
    return best, _distance(corners, best)


def _spans(corners: Sequence[Point], y: float) -> list[tuple[float, float]]:
    """From where to where a horizontal line at this height is inside."""
    crossed = []
    for (ax, ay), (bx, by) in pairwise((*corners, corners[0])):
        if (ay <= y) != (by <= y):
            crossed.append(ax + (bx - ax) * (y - ay) / (by - ay))
    crossed.sort()
    return list(zip(crossed[::2], crossed[1::2], strict=True))


def _inside(corners: Sequence[Point], point: Point) -> bool:
    return any(start < point[0] < end for start, end in _spans(corners, point[1]))


def _distance(corners: Sequence[Point], point: Point) -> float:
    """From a point to the boundary."""
    return min(apart(point, start, end) for start, end in pairwise((*corners, corners[0])))


def apart(point: Point, start: Point, end: Point) -> float:
    """How far a point is from a segment."""
    (x, y), (ax, ay), (bx, by) = point, start, end
    dx, dy = bx - ax, by - ay
    along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
    along = min(1.0, max(0.0, along))
    return hypot(x - ax - along * dx, y - ay - along * dy)
