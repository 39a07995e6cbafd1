"""The picture of a maze in the first phase, while walls are drawn."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from render.board.seats import Item, space, text_item
from render.engine.scene import Disc, Group, Mix, Point, Ring, Role, Shape, Stroke, Text
from rules.core.bits import members
from rules.core.match import Observation
from rules.core.notation import Cell, letter
from rules.core.walls import Wall, crossing, walls
from rules.games.maze.state import MazeView

_SIZE = 800.0
"""The side of the board, in page units, which are its units."""
_EDGE, _FILLED_EDGE = 54.0, 18.0
"""The room around the grid: for the names of its lines, and without them while sections are filled."""
_LARGEST = 255.0
"""The greatest side of a square."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The layout of a grid of `size` by `size` squares on the board, with this room on each side."""

    size: int
    edge: float = _EDGE

    @classmethod
    def of(cls, view: MazeView) -> "Grid":
        """Return the grid of a view; its lines have names until it has sections."""
        return cls(view.size, _FILLED_EDGE if view.sections else _EDGE)

    @property
    def square(self) -> float:
        return min(_LARGEST, (_SIZE - 2 * self.edge) / self.size)

    @property
    def reach(self) -> float:
        return self.size * self.square + 2 * self.edge

    @property
    def wall(self) -> float:
        """The thickness of a wall."""
        return 3 + 0.05 * self.square

    def at(self, x: float, y: float) -> Point:
        """Return the point of the board for a point of the rules, whose y grows upwards."""
        return self.edge + x * self.square, self.edge + (self.size - y) * self.square

    def line(self, wall: Wall) -> tuple[Point, Point]:
        return self.at(*wall.start), self.at(*wall.end)

    @property
    def rim(self) -> tuple[Point, ...]:
        return tuple(
            self.at(x, y) for x, y in ((0, 0), (self.size, 0), (self.size, self.size), (0, self.size))
        )


def lattice(grid: Grid) -> Iterator[Stroke]:
    """Yield the grid lines inside the boundary."""
    for line in range(1, grid.size):
        for ends in (
            (grid.at(line, 0), grid.at(line, grid.size)),
            (grid.at(0, line), grid.at(grid.size, line)),
        ):
            yield Stroke(ends, 2.5, Role.GRID, wobble=0.6)


def wall_shapes(view: MazeView, grid: Grid) -> Iterator[Shape]:
    """Yield the boundary and all segments; the last one is highlighted until the first section is filled."""
    if view.walls and not view.string:
        start, end = grid.line(view.walls[-1])
        glow = Stroke((minus(start, end), (0, 0)), grid.wall * 3, Mix(Role.ACCENT, 0.75), wobble=0.4)
        yield Group("last", (glow,), end)
    yield Stroke(grid.rim, grid.wall, Role.INK, wobble=0.4, closed=True)
    for wall in view.walls:
        start, end = grid.line(wall)
        line = Stroke((minus(start, end), (0, 0)), grid.wall, Role.INK, wobble=0.4)
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


FEW = 12
"""The greatest number of possible segments that are shown or listed."""
_LABEL, _SMALL = 42, 27
"""Text sizes: the usual one, and the smallest."""
_POSSIBLE = Mix(Role.MUTED, 0.45)


def drawing(view: MazeView, seen: Observation, grid: Grid) -> Iterator[Shape]:
    """Yield walls, points and the walls that can be drawn: thin, or dashed if they are few."""
    yield from _axes(grid)
    offered = drawable(view) if seen.winners is None else ()
    yield from (_dashed(wall, grid) if len(offered) <= FEW else _thin(wall, grid) for wall in offered)
    yield from wall_shapes(view, grid)
    starts = {wall.start for wall in offered}
    for vertex in walls(view.size).vertices:
        if vertex in view.untouched:
            yield _untouched(vertex, view, grid)
        else:
            radius = grid.wall * (1.25 if vertex in starts else 0.8)
            yield Group(f"touched {vertex}", (Disc((0, 0), radius, Role.INK),), grid.at(*vertex))


def possible_wall() -> tuple[Item, ...]:
    """Return the meaning of the thin lines."""
    sample = Stroke(((2, 0), (48, 0)), 3, _POSSIBLE, wobble=0)
    dot = Disc((4, 0), 9, Role.INK)
    return Item(56, (sample, dot)), space(12), text_item("possible wall", 34, Role.MUTED)


def drawable(view: MazeView) -> tuple[Wall, ...]:
    """Return the segments that can be drawn now; none if all points are touched."""
    table = walls(view.size)
    rooted, clear = 0, table.all
    for vertex in table.vertices:
        if vertex not in view.untouched:
            rooted |= table.starting[vertex]
            clear &= ~table.reaching[vertex]
    for wall in view.walls:
        clear &= ~crossing(view.size, wall)
    return members(rooted & clear, table.every)


def _axes(grid: Grid) -> Iterator[Text]:
    for line in range(grid.size + 1):
        x, y = grid.at(line, 0)
        yield Text((x, y + 29), letter(line), _LABEL, Role.MUTED)
        x, y = grid.at(0, line)
        yield Text((x - 32, y), str(line + 1), _LABEL, Role.MUTED)


def _thin(wall: Wall, grid: Grid) -> Group:
    """Return a segment that can be drawn, as one of many."""
    start, end = grid.line(wall)
    line = Stroke((minus(start, end), (0, 0)), 2.5, _POSSIBLE, wobble=0)
    return Group(f"choice {wall}", (line,), end)


def _dashed(wall: Wall, grid: Grid) -> Group:
    """Return a dashed segment that can be drawn."""
    start, end = grid.line(wall)
    length = math.dist(start, end)
    dashes = round(length / 20)
    (x, y), middle = minus(end, start), between(start, end)
    cuts = ((dash / dashes - 0.5, (dash + 0.5) / dashes - 0.5) for dash in range(dashes))
    lines = (Stroke(((x * a, y * a), (x * b, y * b)), 4, Role.MUTED, wobble=0) for a, b in cuts)
    return Group(f"choice {wall}", tuple(lines), middle)


def _untouched(vertex: Cell, view: MazeView, grid: Grid) -> Group:
    """Return a dashed circle, with the name of the point in it if the walls leave room."""
    at = grid.at(*vertex)
    near = min((distance(at, grid.line(wall)) for wall in view.walls), default=grid.square)
    radius = max(grid.wall, min(46.0, 0.4 * grid.square, near - grid.wall))
    shapes: list[Shape] = [Disc((0, 0), radius, Role.PAGE)]
    if radius >= 0.9 * _SMALL:
        size = min(_LABEL, max(_SMALL, round(radius)))
        shapes += [
            Ring((0, 0), radius, 3.5, Role.INK, dashes=max(8, round(radius * 0.6))),
            Text((0, 0), str(vertex), size),
        ]
    else:
        shapes.append(Ring((0, 0), radius, 3.5, Role.INK, wobble=0.5))
    return Group(f"untouched {vertex}", tuple(shapes), at)
