"""Lines along rows and columns as a hand draws them: round corners, and a free point on them for a mark."""

import math
from collections.abc import Sequence
from itertools import pairwise

from render.engine.scene import Point

_BEND = 0.22
"""Cells: how far from its corner a line begins to turn."""


def bent(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """A line of start, corner and end with the corner rounded, so that two corners in one cell do not look like a
    crossing; a straight line stays as it is."""
    if len(points) < 3:
        return points
    start, corner, end = points
    before, after = _towards(corner, start), _towards(corner, end)
    curve = [
        blend((before, corner, after), ((1 - t) ** 2, 2 * t * (1 - t), t**2))
        for t in (step / 6 for step in range(7))
    ]
    return (start, *curve, end)


def blend(points: Sequence[Point], shares: Sequence[float]) -> Point:
    """The point that takes this share, all together 1, of each of the others."""
    x = sum(point[0] * share for point, share in zip(points, shares, strict=True))
    y = sum(point[1] * share for point, share in zip(points, shares, strict=True))
    return x, y


def free_point(
    points: tuple[Point, ...], radius: float, marks: Sequence[Point], others: Sequence[tuple[Point, ...]]
) -> Point:
    """Where on a line to lay its mark, a disc: at the corner or in the middle, or else near it, so that it lies on none
    of the other `marks`, not on the line's ends and on no other line, in this order of importance."""
    middle = points[1] if len(points) == 3 else blend(points, (0.5, 0.5))

    def cost(at: Point) -> float:
        hidden = sum(math.dist(at, mark) < 2.2 * radius for mark in marks)
        ends = sum(math.dist(at, end) < 0.3 + radius for end in (points[0], points[-1]))
        lines = sum(_near(line, at, radius + 0.06) for line in others)
        return 900 * hidden + 300 * ends + 100 * lines + math.dist(at, middle)

    return min(_along(points), key=cost)


def _towards(corner: Point, end: Point) -> Point:
    share = min(0.5, _BEND / math.dist(corner, end))
    return blend((corner, end), (1 - share, share))


def _along(points: tuple[Point, ...]) -> list[Point]:
    """Places on a line: its corner, and every quarter of a cell."""
    points_on = list(points[1:-1])
    for start, end in pairwise(points):
        steps = max(2, round(4 * math.dist(start, end)))
        points_on += [blend((start, end), (1 - step / steps, step / steps)) for step in range(1, steps)]
    return points_on


def _near(line: tuple[Point, ...], at: Point, reach: float) -> bool:
    """Whether a line, which runs along rows and columns, comes closer than `reach`."""
    for (x1, y1), (x2, y2) in pairwise(line):
        closest = min(max(at[0], min(x1, x2)), max(x1, x2)), min(max(at[1], min(y1, y2)), max(y1, y2))
        if math.dist(closest, at) < reach:
            return True
    return False
