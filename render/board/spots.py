"""Where on a board things lie that have a canonical name: cells, points, numbers, lines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import dist

from render.engine.scene import Point
from rules.core.notation import Cell, read_cells


@dataclass(frozen=True, slots=True)
class Spot:
    """A point, or a line through several, on a board; `reach` is how far the thing extends around it."""

    points: tuple[Point, ...]
    reach: float

    @property
    def middle(self) -> Point:
        """The point half way along."""
        steps = list(zip(self.points, self.points[1:], strict=False))
        left = sum(dist(*step) for step in steps) / 2
        for (ax, ay), (bx, by) in steps:
            length = dist((ax, ay), (bx, by))
            if length >= left > 0:
                return ax + (bx - ax) * left / length, ay + (by - ay) * left / length
            left -= length
        return self.points[0]


def no_spot(_name: str) -> Spot | None:
    return None


def spot_through(points: Iterable[Point | None], reach: float) -> Spot | None:
    """The place that leads through these points, of which those in one spot count once; None without any, or where
    one is missing."""
    found: list[Point] = []
    for point in points:
        if point is None:
            return None
        if not found or dist(found[-1], point) > 0:
            found.append(point)
    return Spot(tuple(found), reach) if found else None


def spot_by_cells(
    width: int, height: int, at: Callable[[Cell], Point], reach: float
) -> Callable[[str], Spot | None]:
    """Finds what is named by cells (`c4`) or lattice points, or by several joined to a line (`c4-c7-f7`), all of them
    among `width` by `height`."""

    def find(name: str) -> Spot | None:
        return spot_through((at(cell) for cell in _cells(name, width, height)), reach)

    return find


def _cells(name: str, width: int, height: int) -> tuple[Cell, ...]:
    """The cells of a canonical name; nothing when it names none or one off the board."""
    try:
        cells = read_cells(name, "")
    except ValueError:
        return ()
    return cells if all(cell.column < width and cell.row < height for cell in cells) else ()
