"""Spots on a board that have a canonical name: cells, points, numbers, lines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import dist

from render.engine.scene import Point
from rules.core.notation import Cell, read_cells


@dataclass(frozen=True, slots=True)
class Spot:
    """A point on a board, or a line through several; `reach` is the distance to the edge of what is drawn there."""

    points: tuple[Point, ...]
    reach: float

    @property
    def middle(self) -> Point:
        """The point half way along the line."""
        steps = list(zip(self.points, self.points[1:], strict=False))
        left = sum(dist(*step) for step in steps) / 2
        for (ax, ay), (bx, by) in steps:
            length = dist((ax, ay), (bx, by))
            if length >= left > 0:
                return ax + (bx - ax) * left / length, ay + (by - ay) * left / length
            left -= length
        return self.points[0]


def no_spot(_name: str) -> Spot | None:
    """Return None for every name."""
    return None


def spot_through(points: Iterable[Point | None], reach: float) -> Spot | None:
    """Return the spot through these points, equal neighbours counting once; None if there is none or one is None."""
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
    """Return a function that finds a cell or lattice point (`c4`), or a line through several (`c4-c7-f7`), on a board
    of `width` by `height`; it returns None for other names."""

    def find(name: str) -> Spot | None:
        return spot_through((at(cell) for cell in _cells(name, width, height)), reach)

    return find


def _cells(name: str, width: int, height: int) -> tuple[Cell, ...]:
    """The cells of a canonical name; none if it is no such name or a cell is off the board."""
    try:
        cells = read_cells(name, "")
    except ValueError:
        return ()
    return cells if all(cell.column < width and cell.row < height for cell in cells) else ()
