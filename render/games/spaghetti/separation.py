"""Marks that would overlap, moved apart."""

from collections.abc import Sequence
from math import cos, dist, sin

from render.engine.scene import Point

_ROUNDS = 30


def separated(
    points: Sequence[Point], apart: float, fixed: Sequence[Point] = (), clear: float = 0.0
) -> list[Point]:
    """`points` moved as little as needed until they are `apart` from one another and `clear` of the `fixed` points.

    Where there is no room for that, they come as far apart as they can.
    """
    # A very small step in a direction of its own lets points that coincide part.
    moved = [(x + 0.01 * cos(2.4 * n), y + 0.01 * sin(2.4 * n)) for n, (x, y) in enumerate(points)]
    reach = 4 * max(apart, clear)
    near = [[n for n in range(at) if dist(points[n], points[at]) < reach] for at in range(len(points))]
    walls = [[wall for wall in fixed if dist(wall, point) < reach] for point in points]
    for _ in range(_ROUNDS):
        settled = True
        for at, others in enumerate(near):
            for other in others:
                short = apart - dist(moved[at], moved[other])
                if short > 0.01:
                    settled = False
                    one, two = moved[at], moved[other]
                    moved[at], moved[other] = _away(one, two, short / 2), _away(two, one, short / 2)
            for wall in walls[at]:
                short = clear - dist(moved[at], wall)
                if short > 0.01:
                    settled = False
                    moved[at] = _away(moved[at], wall, short)
        if settled:
            break
    return moved


def _away(point: Point, other: Point, step: float) -> Point:
    """`point`, moved a step away from the other."""
    gap = dist(point, other)
    return point[0] + (point[0] - other[0]) * step / gap, point[1] + (point[1] - other[1]) * step / gap
