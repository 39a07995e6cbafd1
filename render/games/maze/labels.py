"""Labels of areas of a maze: the room for them inside an area, and labels outside with a leader line."""

import math
from bisect import bisect, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise

from render.board.areas import crosses
from render.engine.fonts import Box
from render.engine.scene import Point

Support = Callable[[float, float], float]
"""The support function of a thing: its extent from its middle in a direction, given as a unit vector."""

_STEPS = 6


def disc(radius: float) -> Support:
    return lambda _x, _y: radius


def box(width: float, height: float) -> Support:
    return lambda x, y: (abs(x) * width + abs(y) * height) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """The inside of a convex polygon; `sides` holds the inward normal of each side and the side's distance along it.

    A room is equal only to itself, which makes it quick to look up.
    """

    sides: tuple[tuple[float, float, float], ...]
    middle: Point

    @classmethod
    def of(cls, corners: Sequence[Point], middle: Point) -> "Room":
        """Return the inside of these corners; `middle` is the preferred point for things, somewhere inside."""
        sides: list[tuple[float, float, float]] = []
        for (ax, ay), (bx, by) in pairwise((*corners, corners[0])):
            length = math.hypot(bx - ax, by - ay)
            x, y = (ay - by) / length, (bx - ax) / length
            if x * middle[0] + y * middle[1] < x * ax + y * ay:
                x, y = -x, -y
            side = x, y, x * ax + y * ay
            # A corner on a straight line makes no new side.
            if not any(math.dist(side, other) < 1e-9 for other in sides):
                sides.append(side)
        return cls(tuple(sides), middle)

    def slack(self, at: Point, support: Support) -> float:
        """Return the distance of the thing, its middle `at`, from the nearest side; negative if it crosses a side."""
        return min(x * at[0] + y * at[1] - off - support(x, y) for x, y, off in self.sides)

    def fit(self, support: Support, margin: float = 0.0) -> Point | None:
        """Return a middle near the preferred one at which the thing is `margin` away from all sides, or None."""
        if self.slack(self.middle, support) >= margin:
            return self.middle
        best = self.roomiest(support)
        for step in range(1, _STEPS + 1):
            share = step / _STEPS
            at = (
                self.middle[0] + (best[0] - self.middle[0]) * share,
                self.middle[1] + (best[1] - self.middle[1]) * share,
            )
            if self.slack(at, support) >= margin - 1e-9:
                return at
        return None

    def inset(self, corners: Sequence[Point], margin: float) -> tuple[Point, ...]:
        """Return the corners of the part that is `margin` away from all sides; none if there is no such part.

        `corners` are those of the polygon.
        """
        left = [*corners]
        for x, y, off in self.sides:
            cut: list[Point] = []
            for one, other in pairwise((*left, *left[:1])):
                here, there = (x * at[0] + y * at[1] - off - margin for at in (one, other))
                if here >= 0:
                    cut.append(one)
                if (here < 0) != (there < 0):
                    share = here / (here - there)
                    cut.append((one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share))
            left = cut
        # Points that coincide would be no corners to the brush.
        apart = [it for number, it in enumerate(left) if math.dist(it, left[number - 1]) > 1e-6]
        return tuple(apart) if len(apart) > 2 else ()

    def roomiest(self, support: Support) -> Point:
        """Return the middle at which the thing is furthest from the nearest side."""
        return max(self._candidates(support), key=lambda at: self.slack(at, support))

    def _candidates(self, support: Support) -> Iterator[Point]:
        """Yield the middles at which the thing is equally far from three sides; the best of all is one of them."""
        yield self.middle
        lines = [(x, y, off + support(x, y)) for x, y, off in self.sides]
        for (ax, ay, a), (bx, by, b), (cx, cy, c) in combinations(lines, 3):
            px, py, p = ax - bx, ay - by, a - b
            qx, qy, q = ax - cx, ay - cy, a - c
            spread = px * qy - py * qx
            if abs(spread) > 1e-12:
                yield (p * qy - py * q) / spread, (px * q - p * qx) / spread


_RINGS = (1.2, 1.8, 2.4, 3.2, 4.2)
"""The distances at which a label is tried, in heights of the label."""
_DIRECTIONS = 20
_WIDER = 1.3
"""Labels are wider than high, and so are the rings."""


_Line = tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Walled:
    """The walls on a board, which are the same over many moves. It is equal only to itself, so quick to look up."""

    width: float
    height: float
    walls: tuple[_Line, ...]


@lru_cache(maxsize=16)
def walled(width: float, height: float, walls: tuple[_Line, ...]) -> Walled:
    """Return a board with these walls, the same one if the walls are the same."""
    return Walled(width, height, walls)


@dataclass(slots=True)
class Clutter:
    """Walls, lines and boxes on a board that labels must keep `margin` away from."""

    board: Walled
    margin: float
    _sides: list[tuple[Point, Point]] = field(default_factory=list)
    _boxes: list[Box] = field(default_factory=list)
    """These are sorted by their left sides."""
    _widest: float = 0.0

    def add_line(self, points: Sequence[Point]) -> None:
        self._sides += pairwise(points)

    def add_disc(self, at: Point, radius: float) -> None:
        self.add_box(at, 2 * radius, 2 * radius)

    def add_box(self, at: Point, width: float, height: float) -> None:
        insort(self._boxes, _around(at, width, height))
        self._widest = max(self._widest, width)

    def beside(self, at: Point, width: float, height: float) -> Point | None:
        """Return the middle of the nearest free box of this size around a point; None if there is none nearby."""
        size = width + 2 * self.margin, height + 2 * self.margin
        left, top, right, bottom = near = _reach(at, height, *size)
        # Boxes further left or right are skipped: all of them for each label would be thousands in a picture.
        first, last = bisect(self._boxes, (left - self._widest,)), bisect(self._boxes, (right, math.inf))
        boxes = [
            it
            for it in self._boxes[first:last]
            for _, north, east, south in (it,)
            if north <= bottom and top <= south and left <= east
        ]
        sides = [it for it in self._sides if crosses(near, *it)]
        return _free(self.board, at, height, size, (*boxes,), (*sides,))


@lru_cache(maxsize=512)
def _free(
    board: Walled,
    at: Point,
    height: float,
    size: Point,
    boxes: tuple[Box, ...],
    sides: tuple[tuple[Point, Point], ...],
) -> Point | None:
    """Return the first middle near a point at which a box of this `size` touches nothing, or None."""
    for middle in _off_walls(board, at, height, size):
        left, top, right, bottom = box = _around(middle, *size)
        for west, north, east, south in boxes:  # a loop, because there are thousands of comparisons
            if west <= right and left <= east and north <= bottom and top <= south:
                break
        else:
            if not any(crosses(box, *it) for it in sides):
                return middle
    return None


@lru_cache(maxsize=512)
def _off_walls(board: Walled, at: Point, height: float, size: Point) -> tuple[Point, ...]:
    """Return the middles near a point at which a box of this `size` is on the board and on none of the walls."""
    near = _reach(at, height, *size)
    sides = [it for line in board.walls for it in pairwise(line) if crosses(near, *it)]
    found = []
    for middle in _candidates(at, height):
        left, top, right, bottom = box = _around(middle, *size)
        inside = left >= 0 and top >= 0 and right <= board.width and bottom <= board.height
        if inside and not any(crosses(box, *it) for it in sides):
            found.append(middle)
    return tuple(found)


def _reach(at: Point, height: float, wide: float, high: float) -> Box:
    """Return the box around all places that are tried around a point."""
    return _around(at, 2 * _WIDER * _RINGS[-1] * height + wide, 2 * _RINGS[-1] * height + high)


def _around(at: Point, width: float, height: float) -> Box:
    return at[0] - width / 2, at[1] - height / 2, at[0] + width / 2, at[1] + height / 2


def _candidates(at: Point, height: float) -> Iterator[Point]:
    """Yield the middles that are tried, the nearest first."""
    for ring in _RINGS:
        for direction in range(_DIRECTIONS):
            angle = 2 * math.pi * direction / _DIRECTIONS
            yield at[0] + _WIDER * ring * height * math.cos(angle), at[1] + ring * height * math.sin(angle)
