"""Lines along rows and columns with round corners, and a free point on each of them for its mark."""

import math
from collections.abc import Sequence

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
    """The weighted mean of points; the shares add up to 1."""
    x = sum(point[0] * share for point, share in zip(points, shares, strict=True))
    y = sum(point[1] * share for point, share in zip(points, shares, strict=True))
    return x, y


def free_point(
    points: tuple[Point, ...], radius: float, marks: Sequence[Point], others: Sequence[tuple[Point, ...]]
) -> Point:
    """The point on a line for its mark, a disc: the corner or the middle, or else near it, so that the mark covers none
    of the other `marks`, no end of the line and no other line, in this order of importance."""
    import shapely  # only here: a start does not need it

    middle = points[1] if len(points) == 3 else blend(points, (0.5, 0.5))
    candidates: list[Point] = shapely.segmentize(shapely.LineString(points), _STEP).coords[1:-1]
    lines = [shapely.LineString(other) for other in others]

    def cost(at: Point) -> float:
        hidden = sum(math.dist(at, mark) < 2.2 * radius for mark in marks)
        ends = sum(math.dist(at, end) < 0.3 + radius for end in (points[0], points[-1]))
        crossed = sum(shapely.dwithin(shapely.Point(at), lines, radius + 0.06))
        return 900 * hidden + 300 * ends + 100 * int(crossed) + math.dist(at, middle)

    return min(candidates, key=cost)


_STEP = 0.26
"""Cells from one point that is tried to the next, at most; a whole number of cells is cut into quarters."""


def _towards(corner: Point, end: Point) -> Point:
    share = min(0.5, _BEND / math.dist(corner, end))
    return blend((corner, end), (1 - share, share))
