"""Names set beside the things they name, without covering one another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import cos, hypot, inf, pi, sin

from render.board.regions import apart
from render.engine import fonts
from render.engine.scene import Face, Point

_ANGLES = tuple(pi * turn / 4 for turn in (-1, 1, -3, 3, -2, 2, 0, 4))
"""Where a name goes by preference: to the right and above, to the right and below, ..."""
_HIGH = 0.72
"""Height of the letters of a name, as a share of its size."""
_GAP = 4.0


def beside(
    named: Mapping[str, Point],
    radius: float,
    size: float,
    room: fonts.Box,
    lines: Sequence[tuple[Point, Point]] = (),
) -> dict[str, Point]:
    """The middle of each name (the keys), beside its round thing of this radius, all within `room`.

    No name touches another. As far as may be none covers a thing or one of the lines, and all are close by. Lengths
    are in page units, as type is measured in pixels.
    """
    found: dict[str, Point] = {}
    taken: list[fonts.Box] = []
    for name, at in named.items():
        wide, high = fonts.width(name, Face.READ, size) / 2 + _GAP, size * _HIGH / 2 + _GAP
        best: tuple[float, Point] | None = None
        for away, middle in _places(at, radius, wide, high):
            if best is not None and best[0] <= away:
                break
            box = middle[0] - wide, middle[1] - high, middle[0] + wide, middle[1] + high
            if box[0] < room[0] or box[1] < room[1] or box[2] > room[2] or box[3] > room[3]:
                continue
            if any(_touching(box, other) for other in taken):
                continue
            cost = away + _covered(box, at, named.values(), radius, lines)
            if best is None or cost < best[0]:
                best = cost, middle
        if best is None:
            raise ValueError(f"There is no room for {name!r} at {at}.")
        x, y = found[name] = best[1]
        taken.append((x - wide, y - high, x + wide, y + high))
    return found


def _places(at: Point, radius: float, wide: float, high: float) -> Iterator[tuple[float, Point]]:
    """Where a name might stand, and how much worse it is to stand there; nearest first."""
    for ring in range(40):
        for rank, angle in enumerate(_ANGLES):
            # So far out that the name just clears its thing.
            x, y = cos(angle), sin(angle)
            reach = radius + 7 * ring
            middle = at[0] + x * (reach + wide), at[1] + y * (reach + high)
            yield 8.0 * ring + rank * 0.5, middle


def _covered(
    box: fonts.Box, own: Point, things: Iterable[Point], radius: float, lines: Iterable[tuple[Point, Point]]
) -> float:
    """How bad it is that a name hides what lies beneath, or stands closer to a thing that is not its own."""
    left, top, right, bottom = box
    gaps = [(_gap(box, thing), thing) for thing in things]
    cost = 200.0 * sum(gap < radius for gap, _ in gaps)
    if min((gap for gap, thing in gaps if thing != own), default=inf) < _gap(box, own) + 6:
        cost += 30
    middle, reach = ((left + right) / 2, (top + bottom) / 2), (right - left) / 2
    ends = ((left + reach / 2, middle[1]), middle, (right - reach / 2, middle[1]))
    for start, end in lines:
        if min(apart(point, start, end) for point in ends) < (bottom - top) / 2:
            cost += 14
    return cost


def _gap(box: fonts.Box, point: Point) -> float:
    """How far a point is from a box."""
    (left, top, right, bottom), (x, y) = box, point
    return hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))


def _touching(one: fonts.Box, other: fonts.Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
