"""Polygons & Dots: a sheet of dotted paper, one closed path, and at the end the regions that it encloses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import cos, dist, pi, sin
from types import MappingProxyType

from render.board.areas import away, crosses, hatch, label_point
from render.board.game_board import Board, draw_board, spot_by_cells
from render.board.phrases import counted
from render.board.seats import Item, piece, seat_item, space, text_item
from render.engine import fonts
from render.engine.icons import Icon, ruled
from render.engine.scene import (
    Area,
    Disc,
    Dots,
    Face,
    Group,
    Mix,
    Point,
    Ring,
    Role,
    Scene,
    Shape,
    Stroke,
    Text,
    rectangle,
)
from render.engine.theme import SEATS
from render.games.polygons.words import note
from rules.core.lattice import cells
from rules.core.match import Observation
from rules.core.notation import Cell, letter
from rules.core.plane import Point as Exact
from rules.games.polygons import PolygonsView, Region, enclosed

_ANGLES = tuple(pi * turn / 4 for turn in (-1, 1, -3, 3, -2, 2, 0, 4))
"""The directions of a label from its point, the best first: right and above, right and below, ..."""
_HIGH = 0.72
"""Height of the letters of a label, as a share of its size."""
_GAP = 4.0
_ON_POINT, _NEARER_TO_ANOTHER, _ON_LINE = 200.0, 30.0, 28.0
"""The costs of covering a point, of standing closer to another point than the label's own, and of crossing a line."""


def beside(
    named: Mapping[str, Point],
    radius: float,
    size: float,
    room: fonts.Box,
    lines: Sequence[tuple[Point, Point]] = (),
    taken: Sequence[fonts.Box] = (),
) -> dict[str, Point]:
    """Return the middle of the label of each named point, all of them within `room`, for points drawn with this radius.

    No label touches another or the boxes that are `taken`. As few as possible cover a point or one of the lines, and
    all are close to their points. Lengths are in page units, as type is measured in pixels.
    """
    points = [*named.values()]
    found: dict[str, Point] = {}
    covered = [*taken]
    for name, at in named.items():
        wide, high = fonts.width(name, Face.READ, size) / 2 + _GAP, size * _HIGH / 2 + _GAP
        best: tuple[float, Point, fonts.Box] | None = None
        for off, (x, y) in _candidates(at, radius, wide, high):
            if best is not None and best[0] <= off:
                break
            if not (room[0] + wide <= x <= room[2] - wide and room[1] + high <= y <= room[3] - high):
                continue
            label = left, top, right, bottom = x - wide, y - high, x + wide, y + high
            if any(it[0] <= right and left <= it[2] and it[1] <= bottom and top <= it[3] for it in covered):
                continue
            gaps = [away(it, *label) for it in points]
            own = away(at, *label)
            cost = off + _ON_POINT * sum(gap < radius - 1e-6 for gap in gaps)
            # One of these gaps is that of the point itself.
            cost += _NEARER_TO_ANOTHER * (sum(gap < own + 6 for gap in gaps) > 1)
            cost += _ON_LINE * sum(crosses(label, *line) for line in lines)
            if best is None or cost < best[0]:
                best = cost, (x, y), label
        if best is None:
            raise ValueError(f"There is no room for {name!r} at {at}.")
        _, found[name], label = best
        covered.append(label)
    return found


def _candidates(at: Point, radius: float, wide: float, high: float) -> Iterator[tuple[float, Point]]:
    """Middles that a label may have, each with what its distance and direction cost; the nearest first."""
    for ring in range(40):
        for rank, angle in enumerate(_ANGLES):
            # The first ring is just far enough out for the label to clear its point.
            x, y = cos(angle), sin(angle)
            reach = radius + 7 * ring
            yield 8.0 * ring + rank * 0.5, (at[0] + x * (reach + wide), at[1] + y * (reach + high))


_SIDE = 800.0
"""The side of the board, in page units, which are its units."""
_LEFT, _BELOW = 76.0, 64.0
"""The room for the row numbers and the column letters."""
_DOT, _POSTER_DOT = 22.0, 16.0
"""The radius of a dot where the points are far apart, and on a finished drawing."""
_POINT = 6.5
"""The greatest radius of a point where a dot may be placed."""
_OVER = _DOT + 9
"""The room for a dot on the edge, outside the lattice."""
_HIGHEST = 720.0
"""The greatest height of a finished drawing."""
_SMALL, _NAME = 30.0, 36.0
"""Sizes of text: of the smallest, and of names where there is room."""
_POSTER_SMALL = 33.5
"""The size of the smallest text of a finished drawing, which is shown smaller."""
_ROOMY = 60.0
"""The least distance of points for names of that size, in page units."""


@dataclass(frozen=True, slots=True)
class _Paper:
    """The layout of the lattice points: `step` apart, a1 at `origin`."""

    origin: Point
    step: float

    @classmethod
    def whole(cls, size: int) -> "_Paper":
        """Return the whole lattice, with room for its letters and numbers."""
        side = _SIDE - _LEFT - _OVER
        return cls((_LEFT, _OVER + side), side / (size - 1))

    @staticmethod
    def height(size: int) -> float:
        """Return the height of the whole lattice with the letters below it."""
        return _OVER + _Paper.whole(size).step * (size - 1) + _BELOW

    @property
    def dot(self) -> float:
        """The radius of a dot."""
        return min(_DOT, 0.46 * self.step)

    @property
    def name_size(self) -> float:
        """The size of the letters and numbers at the edges."""
        return _NAME if self.step >= _ROOMY else _SMALL

    @property
    def dot_name_size(self) -> float:
        """The size of the names of dots, which leave the point beyond free where there is room."""
        if self.step < _ROOMY:
            return _SMALL
        return max(_SMALL, min(_NAME, (self.step - self.dot - _POINT - 3.2 * _GAP) / _HIGH))

    def at(self, point: Cell | Exact) -> Point:
        x, y = point
        return self.origin[0] + float(x) * self.step, self.origin[1] - float(y) * self.step


@draw_board.register
def picture(view: PolygonsView, seen: Observation) -> Board:
    return _poster(view) if view.regions else _running(view, seen)


def _running(view: PolygonsView, seen: Observation) -> Board:
    paper = _Paper.whole(view.size)
    side = paper.step * (view.size - 1)
    offered = view.choices if seen.winners is None else ()
    shapes: list[Shape] = []
    dots = [paper.at(dot) for dot in view.dots]
    for number, region in enumerate(enclosed(view.path), 1):
        shapes.append(_region(f"closed {number}", region, paper, _SMALL, _SO_FAR, dots))
    numbers = [fonts.box(text) for text in Scene(0, 0, tuple(shapes)).texts()]
    if seen.phase == "place":
        shapes += _points(view, offered)
    shapes += [*_last(view, paper), *_segments(view.path, paper)]
    if view.path and offered:
        shapes += _reach(view.path[-1], offered, paper)
    shapes += [*_names(view, offered, paper, side, numbers), *_dots(view, paper, paper.dot)]
    spot = spot_by_cells(view.size, view.size, paper.at, paper.dot + 9)
    return Board(
        _SIDE,
        paper.height(view.size),
        1,
        tuple(shapes),
        legend=_wishes(view, seen),
        legend_below=True,
        spot=spot,
        ground=(_ground(view.size),),
    )


@lru_cache(maxsize=64)
def _ground(size: int) -> Group:
    """Return the shapes under everything else: the lattice with its letters and numbers."""
    paper = _Paper.whole(size)
    return Group("", (*_lattice(size, paper), *_axes(size, paper)))


def _lattice(size: int, paper: _Paper) -> Iterator[Shape]:
    """Yield every fifth line, as on squared paper, and a small dot on every point."""
    (left, bottom), side = paper.origin, paper.step * (size - 1)
    top = bottom - side
    for fifth in range(4, size, 5):
        off = fifth * paper.step
        yield Stroke(((left + off, top), (left + off, bottom)), 1.5, Role.GRID, wobble=0.5)
        yield Stroke(((left, bottom - off), (left + side, bottom - off)), 1.5, Role.GRID, wobble=0.5)
    yield Dots(tuple(map(paper.at, cells(size, size))), 2.6, Role.GRID)


def _axes(size: int, paper: _Paper) -> Iterator[Text]:
    left, bottom = paper.origin
    for number in range(size):
        ink = Role.MUTED if (number + 1) % 5 else Role.INK
        off = number * paper.step
        yield Text((left + off, bottom + _OVER + 21), letter(number), paper.name_size, ink)
        yield Text((left - _OVER - 7, bottom - off), str(number + 1), paper.name_size, ink, anchor="r")


def _points(view: PolygonsView, offered: Sequence[Cell]) -> Iterator[Group]:
    """Yield the points where a dot may be placed, and the points in line with two dots, crossed out."""
    for point in offered:
        yield _choice(point, view.size)
    free = {*view.choices, *view.dots}
    for point in cells(view.size, view.size):
        if point not in free:
            yield _barred(point, view.size)


@lru_cache(maxsize=1024)
def _choice(point: Cell, size: int) -> Group:
    paper = _Paper.whole(size)
    return Group(
        f"choice {point}", (Disc((0, 0), min(_POINT, 0.15 * paper.step), Role.MUTED),), paper.at(point)
    )


@lru_cache(maxsize=1024)
def _barred(point: Cell, size: int) -> Group:
    paper = _Paper.whole(size)
    return Group(f"barred {point}", _cross(min(9.0, 0.19 * paper.step)), paper.at(point))


def _cross(reach: float) -> tuple[Stroke, ...]:
    """Return a cross that reaches so far from its middle to the right and down."""
    ends = (((-reach, -lean * reach), (reach, lean * reach)) for lean in (1, -1))
    return tuple(Stroke(line, 0.36 * reach, Role.FORBIDDEN, wobble=0) for line in ends)


def _segments(path: Sequence[Cell], paper: _Paper) -> Iterator[Group]:
    for start, end in pairwise(path):
        ends = paper.at(start), paper.at(end)
        yield Group(f"segment {start}-{end}", (Stroke(ends, 5, Role.INK, wobble=_HAND),))


_HAND = 0.4
"""The tremor of a segment: small, so that the segment stays on the edge of the region beside it."""


def _last(view: PolygonsView, paper: _Paper) -> list[Shape]:
    """Return the highlight around the dot placed or joined last, and under the segment that ends there."""
    if not view.dots:
        return []
    shapes: list[Shape] = []
    if view.path:
        ends = paper.at(view.path[-2]), paper.at(view.path[-1])
        shapes.append(Stroke(ends, 16, Mix(Role.ACCENT, 0.5), wobble=_HAND))
    before = view.path[-2] if view.path else view.dots[-2] if len(view.dots) > 1 else None
    if len(view.path) > 2:
        ends = paper.at(view.path[-3]), paper.at(view.path[-2])
        shapes.insert(0, Group("previous", (Stroke(ends, 16, Mix(Role.ACCENT, 0.25), wobble=_HAND),)))
    elif before is not None:
        shapes.append(
            Group("previous", (Disc((0, 0), 1.5, Mix(Role.ACCENT, 0.375)),), paper.at(before), paper.dot)
        )
    glow = tuple(Disc((0, 0), 1.6 - 0.12 * step, Mix(Role.ACCENT, 0.25 + 0.25 * step)) for step in range(4))
    return [*shapes, Group("last", glow, paper.at(view.path[-1] if view.path else view.dots[-1]), paper.dot)]


def _reach(start: Cell, ends: Sequence[Cell], paper: _Paper) -> Iterator[Dots]:
    """Yield dotted lines to the dots that may be joined."""
    x, y = paper.at(start)
    for end in ends:
        dx, dy = paper.at(end)[0] - x, paper.at(end)[1] - y
        count = max(2, round((dx * dx + dy * dy) ** 0.5 / 13))
        shares = (spot / count for spot in range(1, count))
        yield Dots(tuple((x + dx * share, y + dy * share) for share in shares), 2.2, Mix(Role.MUTED, 0.75))


def _dots(view: PolygonsView, paper: _Paper, radius: float) -> Iterator[Shape]:
    for number, dot in enumerate(view.dots):
        yield Disc(paper.at(dot), radius + 2, Role.PAGE)
        yield piece(f"dot {dot}", number % 2, paper.at(dot), radius)


def _names(
    view: PolygonsView, offered: Sequence[Cell], paper: _Paper, side: float, numbers: Sequence[fonts.Box]
) -> Iterator[Shape]:
    """Yield the name of every dot beside it, strong where the dot can be joined, and off these `numbers`."""
    size = paper.dot_name_size
    room = _LEFT - _OVER, 0.0, _LEFT + side + _OVER, side + 2 * _OVER
    drawn = [*pairwise(view.path), *((view.path[-1], dot) for dot in offered if view.path)]
    lines = [(paper.at(start), paper.at(end)) for start, end in drawn]
    dots = {str(dot): paper.at(dot) for dot in view.dots}
    # While dots are placed, nothing is around them, and names so close to them cover no part of the points beyond.
    ringed = any(dot in offered for dot in view.dots)
    spots = beside(dots, paper.dot + (10 if ringed else 3), size, room, lines, numbers)
    for dot, (name, middle) in zip(view.dots, spots.items(), strict=True):
        joinable = dot in offered
        x, y = paper.at(dot)
        if max(abs(middle[0] - x) - 24, abs(middle[1] - y) - 8) > paper.dot + 19:
            yield Stroke(((x, y), middle), 2, Role.MUTED, wobble=0.5)
        plate = Stroke(((-0.6 * size, 0), (0.6 * size, 0)), 0.8 * size, Role.PAGE, wobble=0)
        label = Text((0, 0), name, size, Role.MUTED if view.path and not joinable else Role.INK)
        kind = f"choice {view.path[-1]}-" if view.path and joinable else "name "
        # On a roomy board, a name has nothing behind it before there are lines.
        covers = bool(view.path) or paper.step < _ROOMY
        yield Group(f"{kind}{name}", (plate, label) if covers else (label,), middle)
    for dot in view.dots:
        if dot in offered:
            yield Ring(paper.at(dot), paper.dot + 7, 3, Role.INK, dashes=12)


def _wishes(view: PolygonsView, seen: Observation) -> tuple[Item, ...]:
    """Return the parity that each seat collects, with its number of regions so far, and what is to be done.

    That is the number of dots left to place, or that after this segment no choice is left.
    """
    line: list[Item] = []
    closed = [region.owner for region in enclosed(view.path)]
    placing, left = seen.phase == "place", 2 * view.each - len(view.dots)
    for seat, parity in enumerate(("odd", "even")):
        what = f"{parity} sides" if placing else f"{parity} polygons: {closed.count(seat)}"
        line += [seat_item(f"wish {seat}", seat, 18), space(8), text_item(what, 34), space(20)]
    if placing and seen.winners is None:
        line.append(text_item(f"{counted(left, 'dot')} to place", 34, Role.MUTED))
        if len(view.choices) + len(view.dots) < view.size**2:
            cross = Group("", _cross(9), (10, 0))
            line += [space(20), Item(20, (cross,)), space(8), text_item("in line", 34, Role.MUTED)]
    elif view.path and len(view.choices) <= 2 and seen.winners is None:
        line.append(text_item("the last choice", 34, Role.MUTED))
    return tuple(line)


def _poster(view: PolygonsView) -> Board:
    """Return the finished drawing as large as possible, its regions shaded, with the totals."""
    paper, width, height = _fitted(view.path)
    points = (paper.at(point) for point in cells(view.size, view.size))
    grid = tuple((x, y) for x, y in points if 0 <= x <= width and 0 <= y <= height)
    shapes: list[Shape] = [
        Dots(grid, 3, Role.GRID),
        *(
            _region(f"region {number}", region, paper, _POSTER_SMALL)
            for number, region in enumerate(view.regions, 1)
        ),
    ]
    shapes += _segments((*view.path, view.path[0]), paper)
    corners = {corner for region in view.regions for corner in region.walk}
    shapes += [Disc(paper.at(corner), 6, Role.INK) for corner in sorted(corners - set(view.path))]
    shapes += _dots(view, paper, _POSTER_DOT)
    shapes += _outside(view, paper, (0.0, 0.0, width, height))
    return Board(
        width,
        height,
        1,
        tuple(shapes),
        scored=True,
        note=note(view),
        legend=_totals(view),
        legend_below=True,
        in_play=_Paper.height(view.size),
    )


def _fitted(path: Sequence[Cell]) -> tuple[_Paper, float, float]:
    columns, rows = ([dot[axis] for dot in path] for axis in (0, 1))
    wide, high = max(columns) - min(columns), max(rows) - min(rows)
    room, above = _SIDE - 2 * _OVER, _HIGHEST - 2 * _OVER
    step = min(room / wide, above / high)
    width, height = wide * step + 2 * _OVER, high * step + 2 * _OVER
    return _Paper((_OVER - min(columns) * step, height - _OVER + min(rows) * step), step), width, height


def _region(
    name: str,
    region: Region,
    paper: _Paper,
    least: float,
    share: float = 1.0,
    dots: Sequence[Point] = (),
) -> Group:
    """Return a shaded region with its number of sides, if these dots leave room for it at the `least` size."""
    corners = tuple(paper.at(corner) for corner in region.walk)
    (x, y), room = label_point(corners)
    shapes: list[Shape] = _shading(corners, region.owner, share)
    size = _size_in(min((room, *(dist((x, y), dot) - paper.dot for dot in dots))))
    if size >= least:
        if region.owner == 1:
            shapes.append(Disc((x, y), 0.62 * size, _GROUND if share == 1 else Role.PAGE))
        shapes.append(Text((x, y), str(region.sides), size))
    # The origin of the group is its number, so its shapes are moved back.
    return Group(name, (Group("", tuple(shapes), (-x, -y)),), (x, y))


def _size_in(room: float) -> float:
    """Return the size of a number in a circle of this radius."""
    return min(40.0, 1.25 * room)


def _outside(view: PolygonsView, paper: _Paper, room: fonts.Box) -> Iterator[Group]:
    """Yield the numbers of sides of the regions that are too small for them, each beside its region."""
    spots = [label_point(tuple(paper.at(corner) for corner in region.walk)) for region in view.regions]
    small = {number: at for number, (at, inside) in enumerate(spots) if _size_in(inside) < _POSTER_SMALL}
    taken = [
        (x - _POSTER_DOT, y - _POSTER_DOT, x + _POSTER_DOT, y + _POSTER_DOT)
        for x, y in (
            *map(paper.at, view.path),
            *(at for number, (at, _) in enumerate(spots) if number not in small),
        )
    ]
    ends = (*view.path, view.path[0])
    lines = [(paper.at(start), paper.at(end)) for start, end in pairwise(ends)]
    named = {f"{number}": at for number, at in small.items()}
    for name, at in beside(named, 6, _POSTER_SMALL, room, lines, taken).items():
        sides, (x, y) = str(view.regions[int(name)].sides), small[int(name)]
        way = Stroke(((x - at[0], y - at[1]), (0, 0)), 2, Role.INK, wobble=0.5)
        end = Disc((x - at[0], y - at[1]), 4, Role.INK)
        plate = Disc((0, 0), 0.5 * _POSTER_SMALL, Role.PAGE)
        yield Group(f"sides {int(name) + 1}", (way, end, plate, Text((0, 0), sides, _POSTER_SMALL)), at)


def _shading(corners: tuple[Point, ...], owner: int, share: float = 1.0) -> list[Shape]:
    """Odd regions are painted, even ones hatched; a `share` below 1 makes both fainter."""
    if owner == 0:
        return [Area(corners, Mix(SEATS[0], 0.5 * share))]
    ground, lines = (_GROUND, SEATS[1]) if share == 1 else (Role.PAGE, Mix(SEATS[1], share))
    return [Area(corners, ground), *hatch((corners,), 9, 45, 2.2, lines, 0.3)]


_SO_FAR = 0.5
"""The strength of the shading of regions that later segments may still change."""


_GROUND = Mix(SEATS[1], 0.125)
"""The ground of hatched regions."""


def _totals(view: PolygonsView) -> tuple[Item, ...]:
    """Return the line of the final score; who has more regions comes first, as in the banner."""
    odd = sum(region.owner == 0 for region in view.regions)
    texts = f"{odd} odd", f"{len(view.regions) - odd} even"
    left, right = (0, 1) if 2 * odd >= len(view.regions) else (1, 0)
    return (
        seat_item(f"score {left}", left, 30),
        space(16),
        _sample(left),
        space(16),
        text_item(texts[left], 44),
        space(28),
        text_item(":", 44),
        space(28),
        text_item(texts[right], 44),
        space(16),
        _sample(right),
        space(16),
        seat_item(f"score {right}", right, 30),
    )


def _sample(seat: int) -> Item:
    """Return a small square, shaded like the regions of a seat."""
    square = rectangle(0.0, -22.0, 44.0, 22.0)
    return Item(44, (*_shading(square, seat), Stroke(square, 3, Role.INK, wobble=0.5, closed=True)))


def _mark() -> Icon:
    corners = (0, -0.66), (0.68, -0.1), (0.4, 0.64), (-0.4, 0.64), (-0.68, -0.1)
    fill = Area(corners, Mix(Role.SEAT_5, 0.35))
    dots = (
        Disc(at, radius, ink) for at in corners for radius, ink in ((0.26, Role.PALE), (0.2, Role.SEAT_5))
    )
    return fill, ruled(*corners, ink=Role.SEAT_5, width=0.15, closed=True), *dots


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # A square that outdoes a triangle.
        "polygons.odds": (
            Area(((-0.6, -0.46), (0.16, -0.56), (0.2, 0.2), (-0.54, 0.24)), Mix(Role.SEAT_2, 0.7)),
            Stroke(
                ((-0.6, -0.46), (0.16, -0.56), (0.2, 0.2), (-0.54, 0.24)), 0.07, Role.INK, 0.4, closed=True
            ),
            Stroke(((0.14, 0.6), (0.64, 0.6), (0.42, 0.18)), 0.07, Role.SEAT_1, 0.4, closed=True),
        ),
    }
)
"""The icons of the achievements, by their keys."""
