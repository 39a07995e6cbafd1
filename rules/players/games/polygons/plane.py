"""The geometry of Polygons & Dots in whole numbers: lines of the lattice, and the regions of a closed path."""

from collections.abc import Sequence
from functools import cache
from math import gcd

from rules.core.plane import faces

Points = Sequence[tuple[int, int]]


@cache
def directions(size: int) -> tuple[int, ...]:
    """Return the number of a straight line's direction for the difference of two points of it.

    A point is `x + 2 * size * y`, so that every difference stands for one step; it counts as an index from the end
    where it is negative. A direction and its opposite have the same number.
    """
    wide = 2 * size
    table = [0] * (2 * wide * size)
    numbers: dict[tuple[int, int], int] = {}
    for y in range(-size + 1, size):
        for x in range(-size + 1, size):
            if x or y:
                common = gcd(x, y) if y > 0 or (y == 0 and x > 0) else -gcd(x, y)
                table[x + wide * y] = numbers.setdefault((x // common, y // common), len(numbers))
    return tuple(table)


@cache
def line(size: int, one: int, other: int) -> int:
    """Return the points of the straight line through two points, as bits. Points are numbered along the rows."""
    x, y, dx, dy = one % size, one // size, other % size - one % size, other // size - one // size
    common = gcd(dx, dy)
    dx, dy = dx // common, dy // common
    bits = 0
    for step in range(-size, size):
        if 0 <= x + step * dx < size and 0 <= y + step * dy < size:
            bits |= 1 << x + step * dx + size * (y + step * dy)
    return bits


def count_regions(points: Points) -> tuple[int, int]:
    """Return the numbers of regions with an odd and with an even number of sides that a closed path cuts out.

    No three of the points are on one straight line.
    """
    count = len(points)
    steps = [
        (points[(i + 1) % count][0] - points[i][0], points[(i + 1) % count][1] - points[i][1])
        for i in range(count)
    ]
    # Where each segment is cut: how far along, by which other, True if that one leads to its left.
    # The quotients of so small whole numbers are different floats where they differ, and equal where they do not.
    cuts: list[list[tuple[float, int, bool]]] = [[] for _ in range(count)]
    for i in range(count - 2):
        ax, ay = points[i]
        rx, ry = steps[i]
        for j in range(i + 2, count - (i == 0)):
            sx, sy = steps[j]
            qx, qy = points[j]
            qx -= ax
            qy -= ay
            slant, along, across = rx * sy - ry * sx, qx * sy - qy * sx, qx * ry - qy * rx
            if slant > 0:
                if 0 < along < slant and 0 < across < slant:
                    cuts[i].append((along / slant, j, True))
                    cuts[j].append((across / slant, i, False))
            elif slant < along < 0 and slant < across < 0:
                cuts[i].append((along / slant, j, False))
                cuts[j].append((across / slant, i, True))
    first, edges = [], 0
    for cut in cuts:
        cut.sort()
        first.append(edges)
        edges += len(cut) + 1
    return _count_faces(points, cuts, first, edges)


def _count_faces(
    points: Points, cuts: list[list[tuple[float, int, bool]]], first: list[int], edges: int
) -> tuple[int, int]:
    """Walk round every face with the face on the left.

    The edges are numbered along the path; an edge walked back is `edges` higher.
    """
    following = [*range(1, edges), 0, 2 * edges - 1, *range(edges, 2 * edges - 1)]
    places: dict[tuple[int, int], int] = {}
    for i, cut in enumerate(cuts):
        last = -1.0
        for place, (along, j, _) in enumerate(cut, first[i]):
            if along == last:
                return _count_slowly(points)  # three segments in one point
            last = along
            places[i, j] = place
    for (i, j), place in places.items():
        if i < j:
            other = places[j, i]
            if cuts[i][place - first[i]][2]:
                following[place], following[edges + place + 1] = other + 1, edges + other
                following[other], following[edges + other + 1] = edges + place, place + 1
            else:
                following[place], following[edges + place + 1] = edges + other, other + 1
                following[other], following[edges + other + 1] = place + 1, edges + place
    edge = _outside(points, first, edges)
    while following[edge] >= 0:
        following[edge], edge = -1, following[edge]
    odd = even = 0
    for start in range(2 * edges):
        if following[start] >= 0:
            edge, sides = start, 0
            while following[edge] >= 0:
                following[edge], edge = -1, following[edge]
                sides += 1
            if sides & 1:
                odd += 1
            else:
                even += 1
    return odd, even


def _outside(points: Points, first: list[int], edges: int) -> int:
    """Return an edge that has the outside on its left: one at the lowest point, where the path turns away from it."""
    low = min(range(len(points)), key=lambda number: (points[number][1], points[number][0]))
    (ax, ay), (bx, by), (cx, cy) = points[low - 1], points[low], points[(low + 1) % len(points)]
    left = (bx - ax) * (cy - ay) > (by - ay) * (cx - ax)
    return first[low] + edges * left


def _count_slowly(points: Points) -> tuple[int, int]:
    sides = [len(face.walks[0]) for face in faces([(points[i - 1], points[i]) for i in range(len(points))])]
    odd = sum(number % 2 for number in sides)
    return odd, len(sides) - odd
