"""The picture of a maze in the first phase, while walls are drawn."""

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from math import gcd

from render.board.phrases import counted
from render.board.seats import Item, space, text_item
from render.engine.scene import Disc, Group, Mix, Point, Ring, Role, Shape, Stroke, Text
from rules.core.bits import members
from rules.core.match import Observation
from rules.core.notation import Cell, letter
from rules.core.walls import Wall, crossing, walls
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
        """Return the point of the board for a point of the rules, whose y grows upwards."""
        return _EDGE + x * self.square, _EDGE + (self.size - y) * self.square

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
_MANY = 12
"""The greatest number of directions that are drawn at a point."""
_LABEL, _SMALL = 30, 23
"""Text sizes: the usual one, and the smallest."""


def drawing(view: MazeView, seen: Observation, grid: Grid) -> Iterator[Shape]:
    """Yield walls, points and, if they are few, the segments that can be drawn."""
    yield from _axes(grid)
    offered = drawable(view) if seen.winners is None else ()
    if len(offered) <= FEW:
        yield from (_dashed(wall, grid) for wall in offered)
    yield from wall_shapes(view, grid)
    ways = _ways(offered)
    for vertex in walls(view.size).vertices:
        if vertex in view.untouched:
            yield _untouched(vertex, view, grid)
        elif vertex in ways:
            yield _start(vertex, ways[vertex], grid)
        else:
            yield Group(f"touched {vertex}", (Disc((0, 0), grid.wall * 0.8, Role.INK),), grid.at(*vertex))


def _ways(offered: Iterable[Wall]) -> dict[Cell, set[tuple[int, int]]]:
    """Return the directions in which segments can be drawn from each point, as the least steps to the right and up."""
    ways: dict[Cell, set[tuple[int, int]]] = {}
    for (x, y), (to_x, to_y) in offered:
        common = gcd(to_x - x, to_y - y)
        ways.setdefault(Cell(x, y), set()).add(((to_x - x) // common, (to_y - y) // common))
    return ways


def _start(vertex: Cell, ways: Collection[tuple[int, int]], grid: Grid) -> Group:
    """Return a touched point with a short stroke in each direction in which a segment can be drawn from it.

    The strokes are replaced by a ring if there are very many.
    """
    far = grid.wall * 0.8 + 0.17 * grid.square
    shapes = list(_strokes(ways, grid.wall * 1.4, far))
    if len(ways) > _MANY:
        shapes = [Ring((0, 0), 0.7 * far, 3, Role.MUTED)]
    return Group(f"touched {vertex}", (*shapes, Disc((0, 0), grid.wall * 0.8, Role.INK)), grid.at(*vertex))


def _strokes(ways: Iterable[tuple[int, int]], near: float, far: float) -> Iterator[Shape]:
    for right, up in sorted(ways):
        long = math.hypot(right, up)
        x, y = right / long, -up / long
        yield Stroke(((x * near, y * near), (x * far, y * far)), 3, Role.INK, wobble=0)


def to_touch(view: MazeView) -> tuple[Item, ...]:
    """Return the number of points that are still untouched, and the meaning of the strokes at the others."""
    left = text_item(f"{counted(len(view.untouched), 'point')} to touch", 28)
    sample = (
        Disc((20, 0), 8, Role.INK),
        Group("", tuple(_strokes(((1, 1), (2, 0), (1, -1)), 13, 30)), (20, 0)),
    )
    return left, space(46), Item(50, sample), space(12), text_item("a segment can begin here", 26, Role.MUTED)


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
        yield Text((x, y + 36), letter(line), _LABEL, Role.MUTED)
        x, y = grid.at(0, line)
        yield Text((x - 36, y), str(line + 1), _LABEL, Role.MUTED)


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
    radius = max(grid.wall, min(28.0, 0.4 * grid.square, near - grid.wall))
    shapes: list[Shape] = [Disc((0, 0), radius, Role.PAGE)]
    if radius >= 0.9 * _SMALL:
        size = min(_LABEL - 4, max(_SMALL, round(radius)))
        shapes += [
            Ring((0, 0), radius, 3.5, Role.INK, dashes=max(8, round(radius * 0.6))),
            Text((0, 0), str(vertex), size),
        ]
    else:
        shapes.append(Ring((0, 0), radius, 3.5, Role.INK, wobble=0.5))
    return Group(f"untouched {vertex}", tuple(shapes), at)
