""" "Maze" of Polygonal Sections: thick walls, and corridors that are filled string by string."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import pairwise
from types import MappingProxyType

from render.board.areas import hatch
from render.board.game_board import Board, Spot, draw_board, spot_by_cells
from render.board.seats import SLANTS, Item, piece, space, text_item
from render.engine import fonts
from render.engine.icons import Icon, arc, pencil, ruled, tile
from render.engine.scene import Area, Disc, Face, Group, Mix, Point, Ring, Role, Shape, Stroke, Text
from render.engine.theme import SEATS
from render.games.maze.drawing import (
    Grid,
    between,
    drawing,
    lattice,
    meaning_of_points,
    minus,
    radius_of,
    wall_shapes,
)
from render.games.maze.labels import Clutter, Room, box, disc, walled
from render.games.maze.words import note
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.walls import Wall
from rules.games.maze.state import MazeView, SectionView

_SMALL = 30
"""The size of the smallest text."""
_PLACE = 5
"""The radius of the dot in a section whose number stands beside it."""
_EDGE = 7.0
"""The width of the edge of a golden section."""
_USUAL, _AMONG_BUTTONS = 5, 0.82
"""While walls are drawn, many buttons leave little height on phones. Up to this size, a lower board is shown larger."""
_DOT = 9.0
"""The smallest radius of a piece."""


def filling(view: MazeView, seen: Observation, grid: Grid) -> Iterator[Shape]:
    """Yield walls, filled and empty sections, and the strings."""
    areas = _areas(_Plan(grid, view.walls, view.sections))
    offered = view.choices if seen.winners is None else ()
    golden = offered if _continues(view) else ()
    for number, (section, area) in enumerate(zip(view.sections, areas, strict=True), 1):
        if section.owner is not None:
            yield _filled(number, section.owner, area)
        elif number in golden:
            yield from _golden(area, grid.wall)
    yield from lattice(grid)
    newest = areas[view.string[-1] - 1] if view.string else None
    if newest is not None:
        yield Disc(newest.at, newest.radius * 1.5, Mix(Role.ACCENT, 0.75))
    for number, string in enumerate(view.strings, 1):
        on = number == len(view.strings) or seen.winners is not None
        yield _trail(f"string {number}", [areas[section - 1] for section in string], strong=on)
    yield from wall_shapes(view, grid)
    for string in ended(view):
        # The edges of the rays show on walls, which are close to the end of a string in a narrow section.
        end = areas[string[-1] - 1]
        rays = tuple(_burst(end.radius + 4))
        edges = tuple(ray._replace(width=ray.width + 4, ink=Role.PAGE) for ray in rays)
        yield Group(f"point {string[-1]}", (*edges, *rays), end.at)
    walls = (*map(grid.line, view.walls), (*grid.rim, grid.rim[0]))
    clutter = Clutter(walled(grid.reach, grid.reach, walls), grid.wall / 2 + 2)
    for number in golden:
        if edge := _edge(areas[number - 1], grid.wall):
            clutter.add_line((*edge, edge[0]))
    for section, area in zip(view.sections, areas, strict=True):
        if section.owner is not None:
            yield piece("", section.owner, area.at, area.radius)
            clutter.add_disc(area.at, area.radius)
    if newest is not None:
        yield Group("last", (Ring((0, 0), newest.radius + 4, 4, Role.INK, wobble=0.4),), newest.at)
    yield from _numbers(view, areas, offered, clutter)


def _continues(view: MazeView) -> bool:
    """Return True if the next section is a neighbour of the last one; then those that can be filled are golden."""
    return bool(view.string) and not view.ended


def ended(view: MazeView) -> tuple[tuple[int, ...], ...]:
    """Return the strings that have ended; the seat that filled the last section of each has a point."""
    return view.strings if view.ended else view.strings[:-1]


def meaning() -> tuple[Item, ...]:
    """Return the meaning of the lines through sections, and of the rays around a piece."""
    ends = tuple(Disc((x, 0), 8, Role.INK) for x in (8, 62))
    string = Stroke(((8, 0), (28, -7), (44, 7), (62, 0)), 5, Role.INK, wobble=0)
    sample: tuple[Shape, ...] = (*_burst(14), Ring((0, 0), 12, 3, Role.INK))
    return (
        Item(70, (string, *ends)),
        space(12),
        text_item("a string of sections", 36),
        space(34),
        Item(44, (Group("", sample, (22, 0)),)),
        space(10),
        text_item("its end: a point", 36),
    )


def _spot_of(number: int, view: MazeView, grid: Grid) -> Spot:
    """Return the spot of a section: around its piece, its number, or the dot that stands for its number."""
    section = view.sections[number - 1]
    area = _areas(_Plan(grid, view.walls, view.sections))[number - 1]
    if section.owner is not None:
        return Spot((area.at,), area.radius * 1.4)
    strong = number in view.choices
    label = _label(number, area, strong=strong, golden=strong and _continues(view))
    if label is None:
        return Spot((_middle(area.room),), 14)
    return Spot((label.at,), math.hypot(*_extent(label.words, label.size)) / 2 + 4)


@dataclass(frozen=True, slots=True, eq=False)
class _SectionArea:
    """A section on the board: its outline, and the middle and radius of a piece in it. Equal only to itself."""

    outline: tuple[Point, ...]
    room: Room
    margin: float
    at: Point
    radius: float


@dataclass(frozen=True, slots=True)
class _Plan:
    """The sections of a maze, which follow from its walls."""

    grid: Grid
    walls: tuple[Wall, ...]
    sections: tuple[SectionView, ...] = field(compare=False)


@lru_cache(maxsize=16)
def _areas(plan: _Plan) -> tuple[_SectionArea, ...]:
    """Return the sections of a plan in their order. It is the same in all moves that fill them."""
    return tuple(_area(section, plan.grid) for section in plan.sections)


def _area(section: SectionView, grid: Grid) -> _SectionArea:
    *outline, centre = (grid.at(float(x), float(y)) for x, y in (*section.corners, section.centre))
    room, margin = Room.of(outline, centre), grid.wall / 2 + 2
    at = room.fit(disc(0.13 * grid.square), margin) or room.roomiest(disc(0))
    radius = min(0.13 * grid.square, 30.0, room.slack(at, disc(0)) - margin)
    return _SectionArea(tuple(outline), room, margin, at, max(_DOT, radius))


@lru_cache(maxsize=512)
def _filled(number: int, owner: Seat, area: _SectionArea) -> Group:
    x, y = area.at
    tint = Area(area.outline, Mix(SEATS[owner], 0.25))
    lines = (
        line
        for slant in SLANTS[owner]
        for line in hatch([area.outline], 13, slant, 2.5, Mix(SEATS[owner], 0.625))
    )
    return Group(f"filled {number}", (Group("", (tint, *lines), (-x, -y)),), area.at)


def _golden(area: _SectionArea, wall: float) -> Iterator[Shape]:
    """Yield a section that can be filled: tinted, with a golden edge inside its walls."""
    yield Area(area.outline, Mix(Role.ACCENT, 0.375))
    if edge := _edge(area, wall):
        yield Stroke(edge, _EDGE, Role.ACCENT, wobble=0, closed=True)


@lru_cache(maxsize=512)
def _edge(area: _SectionArea, wall: float) -> tuple[Point, ...]:
    """Return the corners of the golden edge of a section; none if the section is too narrow for it."""
    return area.room.inset(area.outline, wall / 2 + _EDGE / 2)


def _trail(name: str, areas: Sequence[_SectionArea], *, strong: bool) -> Group:
    """Return a string as a pencil line through the middle of every opening."""
    points = [areas[0].at]
    for one, other in pairwise(areas):
        points += [between(*_opening(one, other)), other.at]
    x, y = points[0]
    ink, width = (Role.INK, 5) if strong else (Role.MUTED, 3)
    line = tuple((px - x, py - y) for px, py in _smooth(points))
    lines = (Stroke(line, width, ink, wobble=0),) if len(points) > 1 else ()
    return Group(name, (*lines, Disc((0, 0), 1.4 * width, ink)), (x, y))


def _opening(one: _SectionArea, other: _SectionArea) -> tuple[Point, Point]:
    """Return the side that two neighbouring sections share."""
    sides = {frozenset(side) for side in pairwise((*other.outline, other.outline[0]))}
    return next(side for side in pairwise((*one.outline, one.outline[0])) if frozenset(side) in sides)


def _smooth(points: list[Point]) -> list[Point]:
    """Return the line with its corners cut off twice."""
    for _ in range(2):
        inner = [
            (ax + (bx - ax) * share, ay + (by - ay) * share)
            for (ax, ay), (bx, by) in pairwise(points)
            for share in (0.25, 0.75)
        ]
        points = [points[0], *inner, points[-1]]
    return points


def _burst(radius: float) -> Iterator[Stroke]:
    """Rays around a piece that ended a string and scored."""
    for ray in range(8):
        angle = math.pi * (2 * ray + 1) / 8
        x, y = math.cos(angle), math.sin(angle)
        inner, outer = radius + 5, 1.25 * radius + 8
        yield Stroke(
            ((inner * x, inner * y), (outer * x, outer * y)), 4 if radius < 20 else 5.5, Role.INK, wobble=0
        )


def _numbers(
    view: MazeView, areas: Sequence[_SectionArea], offered: tuple[int, ...], clutter: Clutter
) -> Iterator[Shape]:
    """Yield the numbers of the empty sections, strong if they can be filled."""
    outside = []
    for number, (section, area) in enumerate(zip(view.sections, areas, strict=True), 1):
        if section.owner is not None:
            continue
        strong = number in offered
        label = _label(number, area, strong=strong, golden=strong and _continues(view))
        if label is None:
            outside.append((not strong, number, area))
            continue
        clutter.add_box(label.at, *_extent(label.words, label.size))
        yield _named(number, strong, label.at, (_inked(label, strong),))
    for _, _, area in outside:
        clutter.add_box(_middle(area.room), 2 * _PLACE, 2 * _PLACE)
    for muted, number, area in sorted(outside, key=lambda each: each[:2]):
        yield _outside(number, not muted, area, clutter)


def _label(number: int, area: _SectionArea, *, strong: bool, golden: bool) -> Text | None:
    """Return the number in its section, inside a golden edge if possible, as large as there is room.

    None if there is too little room.
    """
    sizes = (46, 40, 36, _SMALL) if strong else (38, 34, _SMALL)
    margins = (area.margin + _EDGE, area.margin) if golden else (area.margin,)
    tried = (_inside(number, area, size, margin) for margin in margins for size in sizes)
    return next(filter(None, tried), None)


@lru_cache(maxsize=1024)
def _inside(number: int, area: _SectionArea, size: int, margin: float) -> Text | None:
    width, height = _extent(str(number), size)
    at = area.room.fit(box(width, height), margin)
    return None if at is None else Text(at, str(number), size)


def _outside(number: int, strong: bool, area: _SectionArea, clutter: Clutter) -> Group:
    """Return a dot in a section too small for its number, which stands nearby if there is room."""
    ink = Role.INK if strong else Role.MUTED
    place = _middle(area.room)
    shapes: list[Shape] = [Disc((0, 0), _PLACE, ink)]
    at = clutter.beside(place, *_extent(str(number), _SMALL))
    if at is not None:
        clutter.add_box(at, *_extent(str(number), _SMALL))
        x, y = minus(at, place)
        shapes += [
            Stroke(((0, 0), (x * 0.6, y * 0.6)), 2.5, ink, wobble=0),
            Text((x, y), str(number), _SMALL, ink),
        ]
    return _named(number, strong, place, tuple(shapes))


@lru_cache(maxsize=1024)
def _middle(room: Room) -> Point:
    """Return the point that is furthest from all sides."""
    return room.roomiest(disc(0))


def _named(number: int, strong: bool, at: Point, shapes: Iterable[Shape]) -> Group:
    return Group(f"{'choice' if strong else 'section'} {number}", tuple(shapes), at)


def _inked(label: Text, strong: bool) -> Text:
    return Text((0, 0), label.words, label.size, Role.INK if strong else Role.MUTED)


def _extent(words: str, size: float) -> tuple[float, float]:
    """Width and height of a label."""
    return fonts.width(words, Face.READ, size) + 2, 0.8 * size


@draw_board.register
def picture(view: MazeView, seen: Observation) -> Board:
    grid = Grid.of(view)
    shapes = filling(view, seen, grid) if view.sections else drawing(view, seen, grid)
    # Sections that are filled later cover the grid, so it is drawn above them then.
    ground = () if view.sections else (*lattice(grid),)
    over = seen.winners is not None
    return Board(
        grid.reach,
        grid.reach,
        _AMONG_BUTTONS if not view.sections and view.size <= _USUAL else 1,
        tuple(shapes),
        note=note(view),
        legend=meaning() if view.sections else () if over else meaning_of_points(view),
        legend_below=bool(view.sections),
        spot=partial(_spot, view, grid),
        ground=ground,
    )


def _spot(view: MazeView, grid: Grid, name: str) -> Spot | None:
    """Return the spot of a section, a point or a segment between two points."""
    if name.isdecimal():
        known = 1 <= int(name) <= len(view.sections)
        return _spot_of(int(name), view, grid) if known else None
    spot = spot_by_cells(view.size + 1, view.size + 1, lambda point: grid.at(*point), 2.2 * grid.wall)(name)
    if (
        spot is not None
        and len(spot.points) == 1
        and (free := [it for it in view.untouched if str(it) == name])
    ):
        return replace(spot, reach=radius_of(free[0], view, grid))
    return spot


def _mark() -> Icon:
    walls = (-0.5, 0.86), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, 0.5), (0, 0.0)
    return *tile(Mix(Role.SEAT_3, 0.25)), ruled(*walls, width=0.2)


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # A ball of thread, and its end.
        "maze.ariadne": (
            Disc((-0.12, -0.1), 0.46, Role.SEAT_1),
            pencil(*arc((-0.12, -0.1), 0.46, 0.2, 200, 340), ink=Role.PAGE, width=0.06),
            pencil(*arc((-0.12, -0.1), 0.2, 0.46, 110, 250), ink=Role.PAGE, width=0.06),
            pencil(*arc((-0.12, -0.1), 0.32, 0.46, 290, 430), ink=Role.PAGE, width=0.06),
            pencil((0.2, 0.24), (0.36, 0.42), (0.12, 0.56), (-0.3, 0.5), (-0.6, 0.62), ink=Role.SEAT_1),
        ),
        # A bull.
        "maze.minotaur": (
            Area(
                ((-0.36, -0.22), (0.36, -0.22), (0.26, 0.4), (0.14, 0.62), (-0.14, 0.62), (-0.26, 0.4)),
                Role.CRUST,
            ),
            pencil(*arc((-0.36, -0.44), 0.32, 0.3, 60, 190), width=0.13),
            pencil(*arc((0.36, -0.44), 0.32, 0.3, -10, 120), width=0.13),
            Disc((-0.17, 0.02), 0.07, Role.PALE),
            Disc((0.17, 0.02), 0.07, Role.PALE),
            Disc((-0.08, 0.47), 0.05, Role.PALE),
            Disc((0.08, 0.47), 0.05, Role.PALE),
        ),
    }
)
"""The icons of the achievements, by their keys."""
