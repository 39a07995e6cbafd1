"""Points on lines that are free for a mark: its seat's on a line that is drawn, a letter on one that may be drawn."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, dist, inf

from render.board.areas import away
from render.engine.fonts import Box
from render.engine.scene import Point

_STEP = 0.26
"""Cells from one point that is tried to the next, at most; a whole number of cells is cut into quarters."""

_NEAR = 1.6
"""The length of the end of a line, in cells."""


def free_point(
    points: tuple[Point, ...],
    radius: float,
    marks: Sequence[Point],
    others: Sequence[tuple[Point, ...]],
    texts: Sequence[Box] = (),
) -> Point:
    """Return the point on a line for its mark, which is a disc. Lengths are in cells.

    The line consists of level and upright parts. The mark lies at the corner or the middle, or near it, so that it
    covers none of the `texts`, none of the other `marks`, no end of the line and no other line, in this order of
    importance.
    """
    middle = points[1] if len(points) == 3 else _between(points[0], points[-1], 0.5)
    best, least = middle, inf
    for at in sorted([*_along(points)][1:-1], key=lambda point: dist(point, middle)):
        cost = dist(at, middle)
        cost += 9000 * sum(away(at, *box) < radius for box in texts)
        cost += 900 * sum(dist(at, mark) < 2.2 * radius for mark in marks)
        cost += 300 * sum(max(0.0, 0.3 + radius - dist(at, end)) for end in (points[0], points[-1]))
        if cost < least:
            cost += 100 * sum(_off(at, other) < radius + 0.06 for other in others)
        if cost < least:
            best, least = at, cost
        if least < 100:
            # It covers nothing, and all points that follow are further from the middle.
            break
    return best


def near_end(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the last cells of a line, which belong to it alone where lines from one start run side by side.

    A line whose last straight part is shorter is returned whole, so that a mark has room.
    """
    start, end = points[-2:]
    length = dist(start, end)
    return points if length <= _NEAR else (_between(end, start, _NEAR / length), end)


def _along(points: Sequence[Point]) -> Iterator[Point]:
    """Yield the points that are tried, from the start of a line to its end."""
    yield points[0]
    for start, end in pairwise(points):
        steps = ceil(dist(start, end) / _STEP)
        yield from (_between(start, end, step / steps) for step in range(1, steps + 1))


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _off(at: Point, line: Sequence[Point]) -> float:
    """Return the distance of a point from a line of level and upright parts."""
    return min(away(at, *map(min, one, other), *map(max, one, other)) for one, other in pairwise(line))
