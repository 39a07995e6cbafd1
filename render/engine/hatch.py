"""Hatching: areas filled with parallel lines, which tell them apart where a tint alone would not."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from render.engine.scene import Ink, Point, Stroke


def hatch(
    loops: Iterable[Sequence[Point]], pitch: float, slant: float, width: float, ink: Ink, hand: float = 0.5
) -> Iterator[Stroke]:
    """Lines `pitch` apart, rising to the right at `slant` degrees, wherever an odd number of the closed `loops` lies
    around. The lines of all areas on a board fit together. Scraps shorter than `width` are left out."""
    along = math.cos(math.radians(slant)), -math.sin(math.radians(slant))
    across = -along[1], along[0]
    # Turned so that the lines lie level: (how far along, how far across) of every corner.
    turned = [[(_dot(point, along), _dot(point, across)) for point in loop] for loop in loops]
    sides = [side for loop in turned for side in pairwise((*loop, loop[0]))]
    if not sides:
        return
    first = math.ceil(min(v for (_, v), _ in sides) / pitch)
    last = math.floor(max(v for (_, v), _ in sides) / pitch)
    for number in range(first, last + 1):
        level = number * pitch
        cuts = sorted(_at(level, side) for side in sides if _spans(level, side))
        for start, end in zip(cuts[::2], cuts[1::2], strict=True):
            if end - start > width:
                points = tuple(
                    (reach * along[0] + level * across[0], reach * along[1] + level * across[1])
                    for reach in (start, end)
                )
                yield Stroke(points, width, ink, hand)


def _spans(level: float, side: tuple[Point, Point]) -> bool:
    # Half open, so that a corner on a line counts once on its way through and twice or never at a turn.
    (_, a), (_, b) = side
    return (a <= level) != (b <= level)


def _at(level: float, side: tuple[Point, Point]) -> float:
    (u1, v1), (u2, v2) = side
    return u1 + (u2 - u1) * (level - v1) / (v2 - v1)


def _dot(one: Point, other: Point) -> float:
    return one[0] * other[0] + one[1] * other[1]
