"""The picture of a maze in the first phase, while walls are drawn."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from render.board.seats import Item, space, text_item
from render.engine.scene import Disc, Group, Ink, Mix, Point, Ring, Role, Shape, Stroke, Text
from rules.core.bits import members
from rules.core.match import Observation
from rules.core.notation import Cell, letter
from rules.core.walls import Wall, crossing, walls
from rules.games.maze.state import MazeView

_SIZE = 800.0
"""The side of the board, in page units, which are its units."""
_EDGE, _FILLED_EDGE = 74.0, 18.0
"""The room around the grid: for the names of its lines, and without them while sections are filled."""
_LARGEST = 255.0
"""The greatest side of a square."""


@dataclass(frozen=True)
class Grid:
    """The layout of a grid of `size` by `size` squares on the board, with this room on each side."""

    size: int
    edge: float = _EDGE

    @classmethod
    def of(cls, view: MazeView) -> "Grid":
        """Return the grid of a view; its lines have names until it has sections."""
        return cls(view.size, _FILLED_EDGE if view.sections else _EDGE)

    @cached_property
    def square(self) -> float:
        return min(_LARGEST, (_SIZE - 2 * self.edge) / self.size)

    @cached_property
    def reach(self) -> float:
        return self.size * self.square + 2 * self.edge

    @cached_property
    def wall(self) -> float:
        """The thickness of a wall."""
        return 3 + 0.05 * self.square

    def at(self, x: float, y: float) -> Point:
        """Return the point of the board for a point of the rules, whose y grows upwards."""
        return self.edge + x * self.square, self.edge + (self.size - y) * self.square

    def line(self, wall: Wall) -> tuple[Point, Point]:
        return self.at(*wall.start), self.at(*wall.end)

    @cached_property
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
    """Yield the boundary and all segments; the last one is highlighted until the first section is filled.

    The highlight lies around the wall, and inside it once there are numbers beside the wall.
    """
    newest = view.walls[-1] if view.walls and not view.string else None
    if newest is not None and not view.sections:
        yield _highlight(newest, grid, 3 * grid.wall, Mix(Role.ACCENT, 0.75))
    yield Stroke(grid.rim, grid.wall, Role.INK, wobble=0.4, closed=True)
    for wall in view.walls:
        start, end = grid.line(wall)
        line = Stroke((minus(start, end), (0, 0)), grid.wall, Role.INK, wobble=0.4)
        yield Group(f"wall {wall}", (line,), end)
    if newest is not None and view.sections:
        yield _highlight(newest, grid, 0.6 * grid.wall, Role.ACCENT)


def _highlight(wall: Wall, grid: Grid, width: float, ink: Ink) -> Group:
    start, end = grid.line(wall)
    return Group("last", (Stroke((minus(start, end), (0, 0)), width, ink, wobble=0.4),), end)


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
"""The greatest number of possible segments that are listed."""
_SHOWN = 20
"""The greatest number of possible segments that are shown."""
_LABEL, _SMALL = 50, 37
"""Text sizes: the usual one, and the smallest."""
_LEGEND = 42
_OFF = 46.0
"""The distance from the boundary to the middle of the names of grid lines, which are clear of the dots on it."""


def drawing(view: MazeView, seen: Observation, grid: Grid) -> Iterator[Shape]:
    """Yield walls and points, golden where a wall can start, and dashed the walls that can be drawn if they are few."""
    yield from _axes(grid)
    offered = drawable(view) if seen.winners is None else ()
    if len(offered) <= _SHOWN:
        yield from (_dashed(wall, grid) for wall in offered)
    yield from wall_shapes(view, grid)
    starts = {wall.start for wall in offered}
    for vertex in walls(view.size).vertices:
        at = grid.at(*vertex)
        if vertex in view.untouched:
            yield _untouched(vertex, view, grid)
            continue
        yield Group(f"touched {vertex}", (Disc((0, 0), 0.8 * grid.wall, Role.INK),), at)
        if vertex in starts:
            yield Group(f"start {vertex}", tuple(_start(max(13.0, 1.4 * grid.wall))), at)


def _start(radius: float) -> Iterator[Shape]:
    """Yield the dot from which a wall can be drawn."""
    yield Disc((0, 0), radius, Role.ACCENT)
    yield Ring((0, 0), radius, 4, Role.INK, wobble=0.3)


def meaning_of_points(view: MazeView) -> tuple[Item, ...]:
    """Return the meaning of golden dots, with the dashed lines from them if there are any.

    Its groups have names, so that films can leave them out.
    """
    sample: list[Shape] = [Group("", tuple(_start(16)), (18, 0))]
    width, words = 36, "start"
    if len(drawable(view)) <= _SHOWN:
        dashes = (Stroke(((x, 0), (x + 12, 0)), 5, Role.MUTED, wobble=0) for x in (42, 62, 82))
        sample, width, words = [*dashes, *sample], 96, "possible wall"
    meaning = text_item(words, _LEGEND)
    named = Group("offer sample", tuple(sample)), Group("offer meaning", meaning.shapes)
    return Item(width, named[:1]), space(12), Item(meaning.width, named[1:])


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
        yield Text((x, y + _OFF), letter(line), _LABEL, Role.MUTED)
        x, y = grid.at(0, line)
        yield Text((x - _OFF, y), str(line + 1), _LABEL, Role.MUTED)


def _dashed(wall: Wall, grid: Grid) -> Group:
    """Return a dashed segment that can be drawn."""
    start, end = grid.line(wall)
    length = math.dist(start, end)
    dashes = round(length / 20)
    (x, y), middle = minus(end, start), between(start, end)
    cuts = ((dash / dashes - 0.5, (dash + 0.5) / dashes - 0.5) for dash in range(dashes))
    lines = (Stroke(((x * a, y * a), (x * b, y * b)), 4, Role.MUTED, wobble=0) for a, b in cuts)
    return Group(f"choice {wall}", tuple(lines), middle)


def radius_of(vertex: Cell, view: MazeView, grid: Grid) -> float:
    """Return the radius of the circle of a free point, which is clear of all walls."""
    at = grid.at(*vertex)
    near = min((distance(at, grid.line(wall)) for wall in view.walls), default=grid.square)
    return max(grid.wall, min(46.0, 0.4 * grid.square, near - grid.wall))


def _untouched(vertex: Cell, view: MazeView, grid: Grid) -> Group:
    """Return a dashed circle, with the name of the point in it if the walls leave room."""
    at, radius = grid.at(*vertex), radius_of(vertex, view, grid)
    shapes: list[Shape] = [Disc((0, 0), radius, Role.PAGE)]
    if radius >= 0.75 * _SMALL:
        size = min(_LABEL, max(_SMALL, round(1.08 * radius)))
        shapes += [
            Ring((0, 0), radius, 3.5, Role.INK, dashes=max(8, round(radius * 0.6))),
            Text((0, 0), str(vertex), size),
        ]
    else:
        shapes.append(Ring((0, 0), radius, 3.5, Role.INK, wobble=0.5))
    return Group(f"untouched {vertex}", tuple(shapes), at)
