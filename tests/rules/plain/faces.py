"""The faces that segments cut out of the plane, plainly: all crossings in fractions, then walks to the left."""

from fractions import Fraction
from itertools import pairwise
from math import atan2

Point = tuple[Fraction, Fraction]
Segment = tuple[tuple[int, int], tuple[int, int]]


def meeting(one: Segment, other: Segment) -> Point | None:
    """Return the point in which two segments that are not parallel meet."""
    ((ax, ay), (bx, by)), ((cx, cy), (dx, dy)) = one, other
    slant = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if slant == 0:
        return None
    along = Fraction((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx), slant)
    across = Fraction((cx - ax) * (by - ay) - (cy - ay) * (bx - ax), slant)
    if 0 <= along <= 1 and 0 <= across <= 1:
        return ax + along * (bx - ax), ay + along * (by - ay)
    return None


def area(walk: list[Point]) -> Fraction:
    """Return twice the area of a walk, positive if it goes round counterclockwise."""
    total = Fraction(0)
    for (ax, ay), (bx, by) in zip(walk, walk[1:] + walk[:1], strict=True):
        total += ax * by - bx * ay
    return total


def faces(segments: list[Segment]) -> list[list[Point]]:
    """Return the corners of each bounded face. The segments hold together."""
    around: dict[Point, list[Point]] = {}
    for one in segments:
        ends = [(Fraction(x), Fraction(y)) for x, y in one]
        on_it = {*ends, *(point for point in (meeting(one, other) for other in segments) if point)}
        places = sorted(on_it)
        for a, b in pairwise(places):
            around.setdefault(a, [])
            around.setdefault(b, [])
            if b not in around[a]:
                around[a].append(b)
                around[b].append(a)
    for (x, y), ends in around.items():
        ends.sort(key=lambda end: atan2(end[1] - y, end[0] - x))
    found = []
    seen = set()
    for a, ends in around.items():
        for b in ends:
            walk = []
            edge = (a, b)
            while edge not in seen:
                seen.add(edge)
                walk.append(edge[0])
                turns = around[edge[1]]
                edge = (edge[1], turns[turns.index(edge[0]) - 1])
            if walk and area(walk) > 0:
                found.append(walk)
    return found
