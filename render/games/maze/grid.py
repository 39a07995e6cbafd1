"""The grid of a maze on its board, and its walls."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from render.engine.scene import Group, Mix, Point, Role, Shape, Stroke
from rules.core.walls import Wall
from rules.games.maze.state import MazeView

_SIZE = 800.0
"""The side of the board, in page units, which are its units."""
_EDGE = 54.0
"""The room around the grid for the names of its lines."""
_LARGEST = 230.0
"""The greatest side of a square."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The layout of a grid of `size` by `size` squares on the board."""

    size: int

    @property
    def square(self) -> float:
        return min(_LARGEST, (_SIZE - 2 * _EDGE) / self.size)

    @property
    def reach(self) -> float:
        return self.size * self.square + 2 * _EDGE

    @property
    def wall(self) -> float:
        """The thickness of a wall."""
        return 3 + 0.05 * self.square

    def at(self, x: float, y: float) -> Point:
        """The point of the board for a point of the rules, whose y grows upwards."""
        return _EDGE + x * self.square, _EDGE + (self.size - y) * self.square

    def line(self, wall: Wall) -> tuple[Point, Point]:
        return self.at(*wall.start), self.at(*wall.end)

    @property
    def rim(self) -> tuple[Point, ...]:
        return tuple(
            self.at(x, y) for x, y in ((0, 0), (self.size, 0), (self.size, self.size), (0, self.size))
        )


def lattice(grid: Grid) -> Iterator[Stroke]:
    """The grid lines inside the boundary."""
    for line in range(1, grid.size):
        for ends in (
            (grid.at(line, 0), grid.at(line, grid.size)),
            (grid.at(0, line), grid.at(grid.size, line)),
        ):
            yield Stroke(ends, 2.5, Role.GRID, hand=0.6)


def wall_shapes(view: MazeView, grid: Grid) -> Iterator[Shape]:
    """The boundary and all segments; the last one is highlighted until the first section is filled."""
    if view.walls and not view.string:
        start, end = grid.line(view.walls[-1])
        glow = Stroke((minus(start, end), (0, 0)), grid.wall * 3, Mix(Role.ACCENT, 0.75), hand=0.4)
        yield Group("last", (glow,), end)
    yield Stroke(grid.rim, grid.wall, Role.INK, hand=0.4, closed=True)
    for wall in view.walls:
        start, end = grid.line(wall)
        line = Stroke((minus(start, end), (0, 0)), grid.wall, Role.INK, hand=0.4)
        yield Group(f"wall {wall}", (line,), end)


def distance(at: Point, line: tuple[Point, Point]) -> float:
    """Return the distance between a point and a segment."""
    (x, y), (wx, wy) = minus(at, line[0]), minus(line[1], line[0])
    along = max(0.0, min(1.0, (x * wx + y * wy) / (wx * wx + wy * wy)))
    return math.hypot(x - along * wx, y - along * wy)


def between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def minus(one: Point, other: Point) -> Point:
    return one[0] - other[0], one[1] - other[1]
