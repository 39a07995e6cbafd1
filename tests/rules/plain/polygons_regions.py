"""Polygons & Dots a second time, straight from the rule sheet, to compare the referee with.

Every point is tried against every pair of dots, and the regions are found by Shapely from edges that are cut exactly:
crossing points are Fractions, and each of them becomes one pair of floats.
"""

from fractions import Fraction
from itertools import combinations, pairwise

import shapely

Dot = tuple[int, int]
Spot = tuple[Fraction, Fraction]


def in_line(a: Dot, b: Dot, c: Dot) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) == (b[1] - a[1]) * (c[0] - a[0])


def points(dots: tuple[Dot, ...], each: int, size: int) -> list[Dot]:
    """Return the points for another dot."""
    if len(dots) == 2 * each:
        return []
    everywhere = ((column, row) for column in range(size) for row in range(size))
    return [
        point
        for point in everywhere
        if point not in dots and not any(in_line(a, b, point) for a, b in combinations(dots, 2))
    ]


def crossing(a: Dot, b: Dot, c: Dot, d: Dot) -> Spot | None:
    """Return the point where the segment ab crosses the segment cd, by Cramer's rule on the two lines as equations."""
    a1, b1, c1 = b[1] - a[1], a[0] - b[0], (b[1] - a[1]) * a[0] + (a[0] - b[0]) * a[1]
    a2, b2, c2 = d[1] - c[1], c[0] - d[0], (d[1] - c[1]) * c[0] + (c[0] - d[0]) * c[1]
    if a1 * b2 == a2 * b1:
        return None
    x = Fraction(c1 * b2 - c2 * b1, a1 * b2 - a2 * b1)
    y = Fraction(a1 * c2 - a2 * c1, a1 * b2 - a2 * b1)
    on_both = all(
        min(p[0], q[0]) <= x <= max(p[0], q[0]) and min(p[1], q[1]) <= y <= max(p[1], q[1])
        for p, q in ((a, b), (c, d))
    )
    return (x, y) if on_both else None


def sides(path: tuple[Dot, ...]) -> list[int]:
    """The number of sides of each region of the closed path, ascending."""
    segments = list(pairwise((*path, path[0])))
    edges: list[tuple[Spot, Spot]] = []
    for a, b in segments:
        met = {crossing(a, b, c, d) for c, d in segments if {a, b} != {c, d}} - {None}
        ends = [(Fraction(a[0]), Fraction(a[1])), (Fraction(b[0]), Fraction(b[1]))]
        edges.extend(pairwise(sorted({*ends, *(point for point in met if point is not None)})))
    floats = [[(float(x), float(y)) for x, y in edge] for edge in edges]
    found = shapely.polygonize([shapely.LineString(edge) for edge in floats])
    return sorted(
        sum(len(ring.coords) - 1 for ring in (region.exterior, *region.interiors)) for region in found.geoms
    )


def scores(path: tuple[Dot, ...]) -> tuple[int, int]:
    counts = sides(path)
    odd = sum(count % 2 for count in counts)
    return odd, len(counts) - odd
