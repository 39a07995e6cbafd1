"""Uncooked Spaghetti and Square Meatballs: stiff strands, laid over one another between browned squares."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import cos, dist, hypot, sin
from random import Random
from types import MappingProxyType

from render.board.game_board import Board, Spot, draw_board, spot_by_cells, spot_through
from render.board.phrases import counted
from render.board.seats import Item, piece, space, text_item
from render.engine.icons import Icon, arc, pencil, ruled
from render.engine.scene import (
    Area,
    Disc,
    Dots,
    Group,
    Ink,
    Mix,
    Point,
    Ring,
    Role,
    Shape,
    Stroke,
    Text,
    rectangle,
)
from render.engine.theme import SEATS
from render.games.spaghetti.words import note, seat_of_line
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import Cell
from rules.core.plane import Point as Exact
from rules.games.spaghetti import Line, SpaghettiView, cheapest

_ROUNDS = 30


def separated(
    points: Sequence[Point], apart: float, fixed: Sequence[Point] = (), clear: float = 0.0
) -> list[Point]:
    """`points` moved as little as needed until they are `apart` from one another and `clear` of the `fixed` points.

    Where there is no room for that, they come as far apart as they can.
    """
    # A very small step in a direction of its own lets points that coincide part.
    moved = [(x + 0.01 * cos(2.4 * n), y + 0.01 * sin(2.4 * n)) for n, (x, y) in enumerate(points)]
    reach = 4 * max(apart, clear)
    near = [[n for n in range(at) if dist(points[n], points[at]) < reach] for at in range(len(points))]
    walls = [[wall for wall in fixed if dist(wall, point) < reach] for point in points]
    for _ in range(_ROUNDS):
        settled = True
        for at, others in enumerate(near):
            for other in others:
                short = apart - dist(moved[at], moved[other])
                if short > 0.01:
                    settled = False
                    one, two = moved[at], moved[other]
                    moved[at], moved[other] = _away(one, two, short / 2), _away(two, one, short / 2)
            for wall in walls[at]:
                short = clear - dist(moved[at], wall)
                if short > 0.01:
                    settled = False
                    moved[at] = _away(moved[at], wall, short)
        if settled:
            break
    return moved


def _away(point: Point, other: Point, step: float) -> Point:
    """`point`, moved a step away from the other."""
    gap = dist(point, other)
    return point[0] + (point[0] - other[0]) * step / gap, point[1] + (point[1] - other[1]) * step / gap


_SIDE = 800.0
"""The side of the board, in page units, which are its units."""
_NUMBERS, _EDGE = 68.0, 26.0
"""The room around the squares, with numbers and without."""
_END, _CROSSING, _TIGHT = 14.0, 11.0, 8.0
"""Radius of the mark at the end of a strand, of one on a crossing, and of one that has others close by."""


@dataclass(frozen=True, slots=True)
class _Plate:
    """The layout of the board: `size` by `size` squares of `cell` units, with `edge` units around them."""

    size: int
    edge: float

    @property
    def cell(self) -> float:
        return (_SIDE - 2 * self.edge) / self.size

    def at(self, point: Cell | Exact) -> Point:
        """Return the point of the board for a point of the rules."""
        x, y = point
        return self.edge + float(x) * self.cell, _SIDE - self.edge - float(y) * self.cell

    def middle(self, square: Cell) -> Point:
        x, y = self.at(square)
        return x + self.cell / 2, y - self.cell / 2

    def outside(self, spot: Cell, away: float) -> Point:
        """Return the point `away` from a lattice point of the rim, straight out or, at a corner, slantwise."""
        x, y = self.at(spot)
        right = (spot.column == self.size) - (spot.column == 0)
        down = (spot.row == 0) - (spot.row == self.size)
        share = away / hypot(right, down)
        return x + right * share, y + down * share


@draw_board.register
def picture(view: SpaghettiView, seen: Observation) -> Board:
    over = seen.winners is not None
    plate = _Plate(view.size, _EDGE if over else _NUMBERS)
    shapes: list[Shape] = []
    if not over:
        shapes += _glow(view, plate)
    shapes += [_meatball(square, plate) for square in view.filled]
    if not over:
        shapes += [_square(square, plate) for square in view.squares]
        shapes += _rim(view, plate)
    for number, line in enumerate(view.lines):
        shapes.append(_strand(view, number, line, plate))
    if not over:
        shapes += _ghosts(view, plate)
    shapes += [*_ends(view, plate), *_crossings(view, plate)]
    return Board(
        _SIDE,
        _SIDE,
        1,
        tuple(shapes),
        note=note(view),
        legend=_scoring(view) if over else _task(view),
        legend_below=True,
        spot=partial(_spot, view, plate),
        ground=(*_grid(plate),),
    )


def _spot(view: SpaghettiView, plate: _Plate, name: str) -> Spot | None:
    """Return the spot of a square, a vertex of the rim or a line between two vertices."""
    ends = name.split("-")
    if not all(end.isdecimal() for end in ends):
        return spot_by_cells(view.size, view.size, plate.middle, 0.4 * plate.cell)(name)
    known = all(1 <= int(end) <= len(view.spots) for end in ends)
    return spot_through((plate.at(view.spots[int(end) - 1]) for end in ends), _END) if known else None


def _grid(plate: _Plate) -> Iterator[Stroke]:
    for step in range(plate.size + 1):
        width = 4 if step in (0, plate.size) else 2
        for ends in ((Cell(step, 0), Cell(step, plate.size)), (Cell(0, step), Cell(plate.size, step))):
            yield Stroke((plate.at(ends[0]), plate.at(ends[1])), width, Role.GRID, wobble=0.8)


def _glow(view: SpaghettiView, plate: _Plate) -> list[Group]:
    """Return the highlight under the square or the line of the last move."""
    inks = [Mix(Role.ACCENT, share) for share in (0.25, 0.5, 0.75)]
    if view.lines:
        (ax, ay), (bx, by) = _way(view, view.lines[-1], plate)
        half = (bx - ax) / 2, (by - ay) / 2
        ends = (-half[0], -half[1]), half
        glow = tuple(
            Stroke(ends, width, ink, wobble=_WOBBLE) for width, ink in zip((40, 33, 26), inks, strict=True)
        )
        before = [
            Group("previous", (Stroke(_way(view, line, plate), 30, _FADED, wobble=_WOBBLE),))
            for line in view.lines[-2:-1]
        ]
        return [*before, Group("last", glow, ((ax + bx) / 2, (ay + by) / 2))]
    if view.filled:
        corners = rectangle(-0.4, -0.4, 0.4, 0.4)
        patches = tuple(
            Stroke(corners, width, ink, wobble=0, closed=True)
            for width, ink in zip((0.3, 0.24, 0.18), inks, strict=True)
        )
        patch = (Stroke(corners, 0.2, _FADED, wobble=0, closed=True),)
        before = [Group("previous", patch, plate.middle(square), plate.cell) for square in view.filled[-2:-1]]
        return [*before, Group("last", patches, plate.middle(view.filled[-1]), plate.cell)]
    return []


_FADED = Mix(Role.ACCENT, 0.375)
"""The highlight under the move before the last one."""


@lru_cache(maxsize=256)
def _meatball(square: Cell, plate: _Plate) -> Group:
    """Return a square meatball; each looks a little different."""
    chance = Random(str(square))  # noqa: S311 - for drawing, not for secrets
    half, cut = 0.41, 0.14
    corners = tuple(
        (x * chance.uniform(0.97, 1.03), y * chance.uniform(0.97, 1.03))
        for x, y in (
            (-half, cut - half),
            (cut - half, -half),
            (half - cut, -half),
            (half, cut - half),
            (half, half - cut),
            (half - cut, half),
            (cut - half, half),
            (-half, half - cut),
        )
    )
    lean = chance.uniform(0.1, 0.25) * chance.choice((-1, 1))
    sears = tuple(
        Stroke(((-0.27, y + lean), (0.27, y - lean)), 0.07, Role.CRUST, wobble=1)
        for y in (chance.uniform(-0.17, -0.12), chance.uniform(0.12, 0.17))
    )
    specks = tuple(
        Dots(
            tuple((chance.uniform(-0.3, 0.3), chance.uniform(-0.3, 0.3)) for _ in range(3)),
            radius,
            Role.CRUST,
        )
        for radius in _SPECKS
    )
    edge = Stroke(corners, 0.05, Role.CRUST, wobble=0.7, closed=True)
    body: tuple[Shape, ...] = (Area(corners, Role.MEAT), edge, *specks, *sears)
    return Group(f"meatball {square}", body, plate.middle(square), plate.cell)


_SPECKS = 0.015, 0.021, 0.027
"""The radii of specks on a meatball, of which there are three each."""


def _square(square: Cell, plate: _Plate) -> Group:
    name = Text((0, 0), str(square), min(44.0, max(30.0, 0.44 * plate.cell)))
    return Group(f"choice {square}", (name,), plate.middle(square))


def _rim(view: SpaghettiView, plate: _Plate) -> Iterator[Group]:
    """Yield the numbers of vertices: strong where a line can end now, crossed out where no line can end."""
    used = {end for line in view.lines for end in line}
    able = {end for line in view.choices for end in line}
    for vertex, spot in enumerate(view.spots, 1):
        x, y = plate.at(spot)
        out = plate.outside(spot, 45)
        number = Text(
            (out[0] - x, out[1] - y),
            str(vertex),
            min(34.0, max(30.0, 0.75 * plate.cell)),
            Role.INK if vertex in able else Role.MUTED,
        )
        if vertex in used:
            yield Group(f"used {vertex}", (number,), (x, y))
        elif vertex in able:
            hole = (Disc((0, 0), 8, Role.PAGE), Ring((0, 0), 8, 3.5, Role.INK, wobble=0.5))
            yield Group(f"open {vertex}", (*hole, number), (x, y))
        elif view.choices:
            cross: list[Shape] = [
                Stroke(((-7, -7 * lean), (7, 7 * lean)), 3.5, Role.FORBIDDEN) for lean in (1, -1)
            ]
            yield Group(f"closed {vertex}", (*cross, number), (x, y))
        else:
            yield Group(f"vertex {vertex}", (Disc((0, 0), 5, Role.GRID), number), (x, y))


_WOBBLE = 0.35
"""The tremor of a line: small, as spaghetti is stiff."""


def _way(view: SpaghettiView, line: Line, plate: _Plate) -> tuple[Point, Point]:
    return plate.at(view.spots[line.low - 1]), plate.at(view.spots[line.high - 1])


def _strand(view: SpaghettiView, number: int, line: Line, plate: _Plate) -> Group:
    """Return a line in the colour of its seat; the gap around it shows that it lies over earlier lines."""
    ends = _way(view, line, plate)
    seat = SEATS[seat_of_line(number)]
    layers = ((19, Role.PAGE), (13, seat), (5.5, Role.PASTA))
    return Group(f"line {line}", tuple(Stroke(ends, width, ink, wobble=_WOBBLE) for width, ink in layers))


def _ghosts(view: SpaghettiView, plate: _Plate) -> Iterator[Group]:
    """Yield the lines that have buttons, dotted: those that cross the fewest others stand out from the rest."""
    offered = cheapest(view.lines, view.choices)
    costs = [sum(line.crosses(other) for other in view.lines) for line in offered]
    alike = len(set(costs)) == 1
    for line, cost in reversed([*zip(offered, costs, strict=True)]):
        ends = _way(view, line, plate)
        if alike:
            yield _ghost(line, ends, 2.6, Role.MUTED)
        elif cost == costs[0]:
            yield _ghost(line, ends, 3.4, Role.INK)
        else:
            yield _ghost(line, ends, 2.2, Mix(Role.MUTED, 0.6))


@lru_cache(maxsize=512)
def _ghost(line: Line, ends: tuple[Point, Point], radius: float, ink: Ink) -> Group:
    """Return a dotted line that may be drawn."""
    (ax, ay), (bx, by) = ends
    middle = (ax + bx) / 2, (ay + by) / 2
    count = max(2, round(hypot(bx - ax, by - ay) / 15))
    shares = [step / count - 0.5 for step in range(1, count)]
    dots = Dots(tuple([((bx - ax) * share, (by - ay) * share) for share in shares]), radius, ink)
    return Group(f"choice {line}", (dots,), middle)


def _ends(view: SpaghettiView, plate: _Plate) -> Iterator[Shape]:
    for number, line in enumerate(view.lines):
        for end in line:
            at = plate.at(view.spots[end - 1])
            yield Disc(at, _END + 2.5, Role.PAGE)
            yield piece(f"end {end}", seat_of_line(number), at, _END)


def _crossings(view: SpaghettiView, plate: _Plate) -> Iterator[Shape]:
    """Yield each crossing with the mark of the seat that got the point, smaller where crossings are close together."""
    scored: dict[str, tuple[Seat, Point]] = {}
    for number, line in enumerate(view.lines):
        earlier = [other for other in view.lines[:number] if line.crosses(other)]
        for other, point in zip(earlier, view.crossings[number], strict=True):
            scored[f"{line} x {other}"] = 1 - seat_of_line(number), plate.at(point)
    ends = [plate.at(view.spots[end - 1]) for line in view.lines for end in line]
    spots = separated([at for _, at in scored.values()], 2 * _TIGHT + 1, ends, _END + _TIGHT)
    for (name, (seat, _)), at in zip(scored.items(), spots, strict=True):
        room = min(hypot(at[0] - x, at[1] - y) for x, y in (*spots, *ends) if (x, y) != at)
        radius = min(_CROSSING, max(_TIGHT, 0.5 * room - 1))
        yield Disc(at, radius + 2.5, Role.PAGE)
        yield piece(f"crossing {name}", seat, at, radius)


def _task(view: SpaghettiView) -> tuple[Item, ...]:
    """Return the number of squares or strands that remain, and the meaning of the dots and of the open ends."""
    if view.squares:
        return (text_item(f"{counted(view.size - len(view.filled), 'square')} to fill", 34),)
    offered, left = cheapest(view.lines, view.choices), counted(len(view.choices), "strand")
    few = f"{len(offered)} of {left}"
    if len(offered) == len(view.choices):
        few = f"{left} left"
    elif any(line.crosses(other) for line in offered for other in view.lines):
        few = f"the cheapest {few}"
    dots = Dots(tuple((3.0 + 15 * step, 0) for step in range(4)), 3, Role.INK)
    free = Ring((10, 0), 8, 3.5, Role.INK, wobble=0.5)
    return (
        Item(51, (dots,)),
        space(12),
        text_item(few, 34),
        space(34),
        Item(20, (free,)),
        space(12),
        text_item("free end", 34, Role.MUTED),
    )


def _scoring(view: SpaghettiView) -> tuple[Item, ...]:
    """Return what the marks on crossings mean, for a finished game; nothing if no strand was crossed."""
    if not any(view.points):
        return ()
    samples = tuple(
        piece("", seat, (_CROSSING + 26 * number, 0), _CROSSING)
        for number, seat in enumerate(seat for seat in (0, 1) if view.points[seat])
    )
    wide = 2 * _CROSSING + 26 * (len(samples) - 1)
    return Item(wide, samples), space(12), text_item("crossing, coloured by who scores", 36, Role.MUTED)


def _mark() -> Icon:
    ball = tuple(
        Stroke(rectangle(-0.4, -0.4, 0.4, 0.4), width, ink, 0, closed=True)
        for width, ink in ((0.6, Role.CRUST), (0.46, Role.MEAT))
    )
    strands = (((-0.82, 0.34), (0.82, -0.5)), ((-0.5, -0.82), (0.38, 0.82)))
    return (
        *ball,
        Area(rectangle(-0.4, -0.4, 0.4, 0.4), Role.MEAT),
        *(
            ruled(*ends, ink=ink, width=width)
            for ends in strands
            for width, ink in ((0.32, Role.CRUST), (0.2, Role.PASTA))
        ),
    )


def _wave(x: float, swing: float) -> tuple[Point, ...]:
    return tuple((x + swing * sin(step * 0.9), -0.62 + step * 0.124) for step in range(11))


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # Strands that do not touch.
        "spaghetti.al_dente": tuple(
            pencil(*_wave(x, 0.07), ink=ink, width=width)
            for x in (-0.4, 0.0, 0.4)
            for ink, width in ((Role.INK, 0.2), (Role.PASTA, 0.13))
        ),
        # Two who share one strand.
        "spaghetti.tramp": (
            pencil(*arc((0, -0.26), 0.34, 0.34, 10, 170), ink=Role.INK, width=0.17),
            pencil(*arc((0, -0.26), 0.34, 0.34, 10, 170), ink=Role.PASTA, width=0.1),
            Disc((-0.46, -0.26), 0.22, Role.SEAT_1),
            Disc((0.46, -0.26), 0.22, Role.SEAT_2),
            pencil((-0.62, 0.42), (0.62, 0.42)),
            pencil(*arc((0, 0.42), 0.44, 0.22, 0, 180)),
        ),
    }
)
"""The icons of the achievements, by their keys."""
