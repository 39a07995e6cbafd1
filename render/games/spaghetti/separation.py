"""Marks that would lie on one another, moved apart."""

from collections.abc import Sequence
from math import cos, hypot, sin

from render.engine.scene import Point

_ROUNDS = 30


def spread(
    spots: Sequence[Point], apart: float, fixed: Sequence[Point] = (), clear: float = 0.0
) -> list[Point]:
    """`spots` moved as little as it takes until they are `apart` from one another and `clear` of the `fixed` points.

    Where there is no room for that, they come as far as they can.
    """
    # The slightest turn, another for each, gives spots in one place a way to go.
    moved = [(x + 0.01 * cos(2.4 * n), y + 0.01 * sin(2.4 * n)) for n, (x, y) in enumerate(spots)]
    reach = 4 * max(apart, clear)
    near = [[n for n in range(at) if _far(spots[n], spots[at]) < reach] for at in range(len(spots))]
    walls = [[wall for wall in fixed if _far(wall, spot) < reach] for spot in spots]
    for _ in range(_ROUNDS):
        rest = True
        for at, others in enumerate(near):
            for other in others:
                short = apart - _far(moved[at], moved[other])
                if short > 0.01:
                    rest = False
                    one, two = moved[at], moved[other]
                    moved[at], moved[other] = _away(one, two, short / 2), _away(two, one, short / 2)
            for wall in walls[at]:
                short = clear - _far(moved[at], wall)
                if short > 0.01:
                    rest = False
                    moved[at] = _away(moved[at], wall, short)
        if rest:
            break
    return moved


def _far(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _away(spot: Point, other: Point, step: float) -> Point:
    """`spot`, a step further from the other."""
    gap = _far(spot, other)
    return spot[0] + (spot[0] - other[0]) * step / gap, spot[1] + (spot[1] - other[1]) * step / gap
