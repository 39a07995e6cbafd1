"""Labels of areas of a maze: the room for them inside an area, and labels outside with a leader line."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from render.engine.scene import Point

Support = Callable[[float, float], float]
"""The support function of a thing: its extent from its middle in a direction, given as a unit vector."""

_STEPS = 6


def disc(radius: float) -> Support:
    return lambda _x, _y: radius


def box(width: float, height: float) -> Support:
    return lambda x, y: (abs(x) * width + abs(y) * height) / 2


@dataclass(frozen=True, slots=True)
class Room:
    """The inside of a convex polygon; `sides` holds the inward normal of each side and the side's distance along it."""

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


if TYPE_CHECKING:
    import shapely

_RINGS = (1.2, 1.8, 2.4, 3.2, 4.2)
"""The distances at which a label is tried, in heights of the label."""
_DIRECTIONS = 20
_WIDER = 1.3
"""Labels are wider than high, and so are the rings."""


_Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_Line = tuple[Point, ...]


@dataclass(slots=True)
class Clutter:
    """Lines and boxes on a board of `width` by `height` that labels must keep `margin` away from."""

    width: float
    height: float
    margin: float
    _lines: tuple[_Line, ...] = ()
    _boxes: list[_Box] = field(default_factory=list)

    def add_line(self, points: Sequence[Point]) -> None:
        self._lines = (*self._lines, tuple(points))

    def add_disc(self, at: Point, radius: float) -> None:
        self.add_box(at, 2 * radius, 2 * radius)

    def add_box(self, at: Point, width: float, height: float) -> None:
        self._boxes.append(_around(at, width, height))

    def beside(self, at: Point, width: float, height: float) -> Point | None:
        """Return the middle of the nearest free box of this size around a point; None if there is none nearby."""
        wide, high = width + 2 * self.margin, height + 2 * self.margin
        x, y = _WIDER * _RINGS[-1] * height + wide / 2, _RINGS[-1] * height + high / 2
        near = _touching(self._boxes, (at[0] - x, at[1] - y, at[0] + x, at[1] + y))
        free = _off_lines(at, height, (wide, high), (self.width, self.height), self._lines)
        return next((middle for middle in free if not _touching(near, _around(middle, wide, high))), None)


def _touching(boxes: Iterable[_Box], box: _Box) -> list[_Box]:
    """Return the boxes that meet this one."""
    left, top, right, bottom = box
    return [it for it in boxes if it[0] <= right and left <= it[2] and it[1] <= bottom and top <= it[3]]


@lru_cache(maxsize=1024)
def _off_lines(
    at: Point, height: float, size: Point, board: Point, lines: tuple[_Line, ...]
) -> tuple[Point, ...]:
    """Return the middles near a point at which a box of this `size` is on the board and on none of the lines.

    They are kept, because the lines of a maze are the same after each of many moves.
    """
    import shapely  # only here: a start does not need it

    tried = [(middle, _around(middle, *size)) for middle in _candidates(at, height)]
    middles, boxes = [], []
    for middle, (left, top, right, bottom) in tried:
        if left >= 0 and top >= 0 and right <= board[0] and bottom <= board[1]:
            middles.append(middle)
            boxes.append(shapely.box(left, top, right, bottom))
    if not boxes:
        return ()
    hits = set(_tree(lines).query(boxes, predicate="intersects")[0].tolist())
    return tuple(middle for number, middle in enumerate(middles) if number not in hits)


@lru_cache(maxsize=64)
def _tree(lines: tuple[_Line, ...]) -> "shapely.STRtree":
    import shapely  # only here: a start does not need it

    return shapely.STRtree([shapely.LineString(line) for line in lines])


def _around(at: Point, width: float, height: float) -> _Box:
    return at[0] - width / 2, at[1] - height / 2, at[0] + width / 2, at[1] + height / 2


def _candidates(at: Point, height: float) -> list[Point]:
    """Return the middles that are tried, the nearest first."""
    angles = [2 * math.pi * direction / _DIRECTIONS for direction in range(_DIRECTIONS)]
    return [
        (at[0] + _WIDER * ring * height * math.cos(angle), at[1] + ring * height * math.sin(angle))
        for ring in _RINGS
        for angle in angles
    ]
