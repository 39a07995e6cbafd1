"""Labels of points: set beside their points, without covering one another."""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any

from render.engine import fonts
from render.engine.scene import Face, Point

_ANGLES = tuple(pi * turn / 4 for turn in (-1, 1, -3, 3, -2, 2, 0, 4))
"""The directions of a label from its point, the best first: right and above, right and below, ..."""
_HIGH = 0.72
"""Height of the letters of a label, as a share of its size."""
_GAP = 4.0
_ON_POINT, _NEARER_TO_ANOTHER, _ON_LINE = 200.0, 30.0, 14.0
"""The costs of covering a point, of standing closer to another point than the label's own, and of crossing a line."""


def beside(
    named: Mapping[str, Point],
    radius: float,
    size: float,
    room: fonts.Box,
    lines: Sequence[tuple[Point, Point]] = (),
) -> dict[str, Point]:
    """The middle of the label of each named point, all of them within `room`, for points drawn with this radius.

    No label touches another. As few as possible cover a point or one of the lines, and all are close to their points.
    Lengths are in page units, as type is measured in pixels.
    """
    import shapely  # only here: a start does not need it

    points = [shapely.Point(at) for at in named.values()]
    crossed = [shapely.LineString(line) for line in lines]
    found: dict[str, Point] = {}
    taken: list[Any] = []
    for index, (name, at) in enumerate(named.items()):
        wide, high = fonts.width(name, Face.READ, size) / 2 + _GAP, size * _HIGH / 2 + _GAP
        best: tuple[float, Point, Any] | None = None
        for away, (x, y) in _candidates(at, radius, wide, high):
            if best is not None and best[0] <= away:
                break
            if not (room[0] + wide <= x <= room[2] - wide and room[1] + high <= y <= room[3] - high):
                continue
            label = shapely.box(x - wide, y - high, x + wide, y + high)
            if any(shapely.intersects(label, taken)):
                continue
            gaps = shapely.distance(label, points).tolist()
            own = gaps.pop(index)
            cost = away + _ON_POINT * sum(gap < radius for gap in (own, *gaps))
            cost += _NEARER_TO_ANOTHER * any(gap < own + 6 for gap in gaps)
            cost += _ON_LINE * sum(shapely.intersects(label, crossed))
            if best is None or cost < best[0]:
                best = cost, (x, y), label
        if best is None:
            raise ValueError(f"There is no room for {name!r} at {at}.")
        _, found[name], label = best
        taken.append(label)
    return found


def _candidates(at: Point, radius: float, wide: float, high: float) -> Iterator[tuple[float, Point]]:
    """Middles that a label may have, each with what its distance and direction cost; the nearest first."""
    for ring in range(40):
        for rank, angle in enumerate(_ANGLES):
            # The first ring is just far enough out for the label to clear its point.
            x, y = cos(angle), sin(angle)
            reach = radius + 7 * ring
            yield 8.0 * ring + rank * 0.5, (at[0] + x * (reach + wide), at[1] + y * (reach + high))
