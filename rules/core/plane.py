"""Exact plane geometry: points, segments, and the faces that segments cut out of the plane.

Coordinates are whole numbers or Fractions, and so is every answer: nothing is rounded, so nothing is nearly so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations, pairwise
from math import gcd, lcm
from typing import NamedTuple

Exact = int | Fraction
Point = tuple[Exact, Exact]
"""(x, y), y upwards. A Cell is one, too."""
Segment = tuple[Point, Point]
"""Two different ends."""
Walk = tuple[Point, ...]
"""The corners along a closed line, each joined to the next and the last to the first."""


def orientation(a: Point, b: Point, c: Point) -> int:
    """Return 1 if the path from a over b to c turns left, -1 if it turns right, and 0 if it is straight."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def on_segment(point: Point, segment: Segment) -> bool:
    """Return True if the point is on the segment; the ends are on it."""
    a, b = segment
    between = min(a[0], b[0]) <= point[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= point[1] <= max(
        a[1], b[1]
    )
    return between and orientation(a, b, point) == 0


def meets(one: Segment, other: Segment) -> bool:
    """Return True if the segments have any point in common, ends included."""
    (a, b), (c, d) = one, other
    if crosses(one, other):
        return True
    return on_segment(a, other) or on_segment(b, other) or on_segment(c, one) or on_segment(d, one)


def crosses(one: Segment, other: Segment) -> bool:
    """Return True if the segments cross in one point that is an end of neither."""
    (a, b), (c, d) = one, other
    return (
        orientation(a, b, c) * orientation(a, b, d) == -1
        and orientation(c, d, a) * orientation(c, d, b) == -1
    )


def overlaps(one: Segment, other: Segment) -> bool:
    """Return True if the segments overlap in more than one point."""
    (a, b), (c, d) = one, other
    if orientation(a, b, c) or orientation(a, b, d):
        return False
    return max(min(a, b), min(c, d)) < min(max(a, b), max(c, d))


def meeting_point(one: Segment, other: Segment) -> Point | None:
    """Return the only point that the segments have in common; None if there is none or if they overlap."""
    (a, b), (c, d) = one, other
    rx, ry, sx, sy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    slant = rx * sy - ry * sx
    if slant == 0:
        shared = {end for end in one if on_segment(end, other)} | {
            end for end in other if on_segment(end, one)
        }
        return shared.pop() if len(shared) == 1 else None
    qx, qy = c[0] - a[0], c[1] - a[1]
    along, across = Fraction(qx * sy - qy * sx) / slant, Fraction(qx * ry - qy * rx) / slant
    if not (0 <= along <= 1 and 0 <= across <= 1):
        return None
    return _plain(a[0] + along * rx), _plain(a[1] + along * ry)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Segments as a graph: all ends and meeting points, and the edges between those that follow one another.

    `around[i]` are the numbers of the corners joined to corner i, counterclockwise, beginning just after straight
    down. Where segments overlap there is one edge.
    """

    corners: tuple[Point, ...]
    around: tuple[tuple[int, ...], ...]

    @property
    def edges(self) -> Iterator[tuple[int, int]]:
        """Each edge once, the lower corner number first."""
        return ((i, j) for i, ends in enumerate(self.around) for j in ends if i < j)


@dataclass(frozen=True, slots=True)
class Face:
    """A bounded region that no edge divides.

    `walks[0]` goes round it with the region on the left; loops that touch it in a point from inside and edges that
    stick out into the region are part of that walk. Each group of edges that lies inside the region and is joined to
    it nowhere adds a walk, again with the region on the left.
    """

    walks: tuple[Walk, ...]

    @property
    def edges(self) -> tuple[Segment, ...]:
        """All edges of the boundary in the direction of the walks; the face beyond has the same edge reversed."""
        return tuple(side for walk in self.walks for side in pairwise((*walk, walk[0])))

    @property
    def area(self) -> Fraction:
        return sum((_area(walk) for walk in self.walks), Fraction(0))


class _Line(NamedTuple):
    """A segment between whole points, the left end (of two above each other, the lower) first."""

    ax: int
    ay: int
    bx: int
    by: int

    def meeting(self, other: "_Line") -> Iterator[tuple[int, int, int]]:
        """Yield the points in which to cut both, as (x, y, over) that stand for (x / over, y / over)."""
        ax, ay, bx, by = self
        cx, cy, dx, dy = other
        if bx < cx or dx < ax or max(ay, by) < min(cy, dy) or max(cy, dy) < min(ay, by):
            return
        rx, ry, sx, sy, qx, qy = bx - ax, by - ay, dx - cx, dy - cy, cx - ax, cy - ay
        slant, along, across = rx * sy - ry * sx, qx * sy - qy * sx, qx * ry - qy * rx
        if slant < 0:
            slant, along, across = -slant, -along, -across
        if slant:
            if 0 <= along <= slant and 0 <= across <= slant:
                yield ax * slant + along * rx, ay * slant + along * ry, slant
        elif across == 0 and max((ax, ay), (cx, cy)) <= min((bx, by), (dx, dy)):
            yield *max((ax, ay), (cx, cy)), 1
            yield *min((bx, by), (dx, dy)), 1


def arrange(segments: Iterable[Segment]) -> Arrangement:
    """Return the graph that the segments make. Raises ValueError for a segment whose ends are one point."""
    ordered = [(min(ends), max(ends)) for ends in segments]
    if any(a == b for a, b in ordered):
        raise ValueError("A segment needs two different ends.")
    # Whole numbers over one common denominator: sums and products of those need no reducing.
    scale = lcm(*(value.denominator for ends in ordered for end in ends for value in end))
    lines = [_Line(*(int(value * scale) for end in ends for value in end)) for ends in ordered]
    numbers: dict[tuple[int, int, int], int] = {}
    cuts: list[set[int]] = [set() for _ in lines]

    def cut(line: int, x: int, y: int, over: int) -> None:
        common = gcd(x, y, over)
        cuts[line].add(numbers.setdefault((x // common, y // common, over // common), len(numbers)))

    for index, (ax, ay, bx, by) in enumerate(lines):
        cut(index, ax, ay, 1)
        cut(index, bx, by, 1)
    for (i, one), (j, other) in combinations(enumerate(lines), 2):
        for point in one.meeting(other):
            cut(i, *point)
            cut(j, *point)
    corners = [(_over(x, over * scale), _over(y, over * scale)) for x, y, over in numbers]
    return Arrangement(tuple(corners), _joined(lines, cuts, corners))


def _by_angle(one: tuple[int, tuple[int, int]], other: tuple[int, tuple[int, int]]) -> int:
    """Orders (corner, direction towards it) counterclockwise, from just after straight down round to straight down."""
    (_, (ax, ay)), (_, (bx, by)) = one, other
    back_a, back_b = ax < 0 or (ax == 0 and ay < 0), bx < 0 or (bx == 0 and by < 0)
    return back_a - back_b or bx * ay - ax * by


_TURN = cmp_to_key(_by_angle)


def _joined(
    lines: Sequence[_Line], cuts: Sequence[set[int]], corners: Sequence[Point]
) -> tuple[tuple[int, ...], ...]:
    """Return for each corner the corners that edges join it to, counterclockwise."""
    ways: list[dict[int, tuple[int, int]]] = [{} for _ in corners]
    for (ax, ay, bx, by), on_line in zip(lines, cuts, strict=True):
        axis = 0 if ax < bx else 1
        for i, j in pairwise(sorted(on_line, key=lambda corner: corners[corner][axis])):
            ways[i][j] = bx - ax, by - ay
            ways[j][i] = ax - bx, ay - by
    return tuple(tuple(end for end, _ in sorted(way.items(), key=_TURN)) for way in ways)


def faces(segments: Iterable[Segment] | Arrangement) -> tuple[Face, ...]:
    """Return all bounded faces of the plane that the segments cut out. Raises ValueError like `arrange`."""
    graph = segments if isinstance(segments, Arrangement) else arrange(segments)
    inner, outer = _walks(graph)
    if len(outer) < 2:
        return tuple(Face((walk,)) for walk in inner)
    areas = [_area(walk) for walk in inner]
    holes: list[list[Walk]] = [[] for _ in inner]
    for hole in outer:
        # Groups of edges do not touch: what holds one corner and is larger than the group holds it all.
        room = -_area(hole)
        homes = [
            number for number, walk in enumerate(inner) if areas[number] > room and _encloses(walk, hole[0])
        ]
        if homes:
            holes[min(homes, key=areas.__getitem__)].append(hole)
    return tuple(Face((walk, *inside)) for walk, inside in zip(inner, holes, strict=True))


def _walks(graph: Arrangement) -> tuple[list[Walk], list[Walk]]:
    """Return all closed walks with a face on their left: around bounded faces, and around each group of edges."""
    follower = {
        (end, corner): (corner, ends[place - 1])
        for corner, ends in enumerate(graph.around)
        for place, end in enumerate(ends)
    }
    outermost = {(graph.around[corner][0], corner) for corner in _leftmost(graph)}
    inner: list[Walk] = []
    outer: list[Walk] = []
    while follower:
        edge, following = follower.popitem()
        walk = [edge]
        while following != edge:
            walk.append(following)
            following = follower.pop(following)
        kind = inner if outermost.isdisjoint(walk) else outer
        kind.append(tuple(graph.corners[start] for start, _ in walk))
    return inner, outer


def _leftmost(graph: Arrangement) -> Iterator[int]:
    """Yield the leftmost corner (the lowest of several) of each group of joined edges. The outer face is left of it."""
    unseen = set(range(len(graph.corners)))
    while unseen:
        group = [unseen.pop()]
        for corner in group:
            fresh = unseen.intersection(graph.around[corner])
            unseen -= fresh
            group.extend(fresh)
        yield min(group, key=graph.corners.__getitem__)


def _area(walk: Walk) -> Fraction:
    """Return the signed area of a closed path; positive if the path runs counterclockwise."""
    sides = pairwise((*walk, walk[0]))
    return sum((Fraction(ax * by - bx * ay) for (ax, ay), (bx, by) in sides), Fraction(0)) / 2


def _encloses(walk: Walk, point: Point) -> bool:
    """Return True if a point off the walk is inside: a ray to the right crosses the walk an odd number of times."""
    inside = False
    for a, b in pairwise((*walk, walk[0])):
        low, high = (a, b) if a[1] < b[1] else (b, a)
        inside ^= low[1] <= point[1] < high[1] and orientation(low, high, point) > 0
    return inside


def _over(value: int, over: int) -> Exact:
    return value if over == 1 else _plain(Fraction(value, over))


def _plain(value: Exact) -> Exact:
    return value.numerator if value.denominator == 1 else value
