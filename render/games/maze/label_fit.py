"""Room for a label or a piece inside a convex polygon: a disc, or the box around a text."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

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
        """The inside of these corners; `middle` is the preferred point for things, somewhere inside."""
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

    def fit(self, support: Support, pad: float = 0.0) -> Point | None:
        """Return a middle with the thing `pad` away from all sides, close to the preferred one; None without room."""
        if self.slack(self.middle, support) >= pad:
            return self.middle
        best = self.roomiest(support)
        for step in range(1, _STEPS + 1):
            share = step / _STEPS
            at = (
                self.middle[0] + (best[0] - self.middle[0]) * share,
                self.middle[1] + (best[1] - self.middle[1]) * share,
            )
            if self.slack(at, support) >= pad - 1e-9:
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
