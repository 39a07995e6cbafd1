"""X's and Lines: crosses on squared paper, and one trail of coloured lines through them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from render.board.free_points import free_point, near_end
from render.board.game_board import Board, draw_board, spot_by_cells
from render.board.seats import Item, marking, piece, space, text_item
from render.board.side_by_side import side_by_side
from render.board.squares import Squares
from render.engine.icons import Icon, pencil, ruled, tile
from render.engine.scene import Area, Disc, Dots, Group, Ink, Mix, Point, Ring, Role, Shape, Stroke, Text
from render.engine.theme import SEATS
from render.games.xlines.words import AIM, corners, note, xs_done
from rules.core.game import Seat
from rules.core.lattice import between
from rules.core.match import Observation
from rules.core.notation import Cell, letters_of
from rules.games.xlines import Line, XLinesView, ways

_THICK = 0.25
"""Half the thickness of a pencil from -1 to 1."""
_BREAK = ((0.02, -_THICK), (0.12, -0.1), (-0.04, 0.02), (0.1, 0.13), (0.0, _THICK))
"""The broken edge, from top to bottom."""


def broken_pencil(seat: Seat) -> tuple[Shape, ...]:
    """Return a broken pencil in the colour of a seat, with its mark, from -1 to 1."""
    body, shade = SEATS[seat], Mix(SEATS[seat], 0.6)
    return (
        Area(_butt(((-0.9, -_THICK), *_BREAK, (-0.9, _THICK))), body),
        Stroke(_butt(((-0.88, 0.17), (0.02, 0.17))), 0.05, shade, wobble=0),
        Stroke(_butt(((-0.92, 0.04 - _THICK), (-0.92, _THICK - 0.04))), 0.12, Role.MUTED, wobble=0),
        marking(seat, _butt(((-0.45, -0.02),))[0], 0.3),
        Area(_tip(((0.42, _THICK), *reversed(_BREAK), (0.42, -_THICK))), body),
        Stroke(_tip(((0.1, 0.17), (0.42, 0.17))), 0.05, shade, wobble=0),
        Area(_tip(((0.42, -_THICK), (0.82, -0.09), (0.82, 0.09), (0.42, _THICK))), Role.GRID),
        Area(_tip(((0.8, -0.1), (0.98, 0), (0.8, 0.1))), Role.INK),
    )


def _butt(points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple(_turned(point, -12, (-0.03, 0.05)) for point in points)


def _tip(points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple(_turned(point, 24, (0.03, 0.0)) for point in points)


def _turned(point: Point, degrees: float, by: Point) -> Point:
    """Turn a point clockwise around the break and move it."""
    across, down = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = point
    return x * across - y * down + by[0], x * down + y * across + by[1]


_BEND = 0.22
"""Cells: how far from its corner a line begins to turn."""


def bent(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return a line of start, corner and end with the corner rounded.

    Two rounded corners in one cell do not look like a crossing. A straight line stays as it is.
    """
    if len(points) < 3:
        return points
    start, corner, end = points
    before, after = _towards(corner, start), _towards(corner, end)
    curve = [
        blend((before, corner, after), ((1 - t) ** 2, 2 * t * (1 - t), t**2))
        for t in (step / 6 for step in range(7))
    ]
    return (start, *curve, end)


def blend(points: Sequence[Point], shares: Sequence[float]) -> Point:
    """Return the weighted mean of points; the shares add up to 1."""
    x = sum(point[0] * share for point, share in zip(points, shares, strict=True))
    y = sum(point[1] * share for point, share in zip(points, shares, strict=True))
    return x, y


def _towards(corner: Point, end: Point) -> Point:
    share = min(0.5, _BEND / math.dist(corner, end))
    return blend((corner, end), (1 - share, share))


_LARGEST = 110.0
"""The width of a cell on a small board, in page units."""
_GLOW, _FADED = Mix(Role.ACCENT, 0.6), Mix(Role.ACCENT, 0.25)


@draw_board.register
def picture(view: XLinesView, seen: Observation) -> Board:
    sheet = Squares.of(view.size, view.size, _LARGEST)
    offered = view.open if seen.winners is None else ()
    trail = [_onto(sheet, points) for points in side_by_side([corners(line) for line in view.lines])]
    lost = bool(view.lines) and not view.choices
    owners = [*_owners(sheet, trail, view)]
    shapes: list[Shape] = [*_last(sheet, view, trail)]
    shapes += [Group(f"line {number}", _strokes(bent(it), number - 1)) for number, it in enumerate(trail, 1)]
    if view.pen is not None:
        shapes += _choices(sheet, view, offered, trail, [owner.at for owner in owners])
    if seen.winners is None:
        shapes += [_spot(sheet, view, cell) for cell in view.choices]
    tries = [*_tries(sheet, view)] if lost else []
    shapes += [dots for dots, _ in tries]
    # The lines lie below the x's and names, so that both can be read.
    shapes += [_cross(sheet, view, cell) for cell in view.xs]
    shapes += owners
    crosses = dict.fromkeys(at for _, at in tries)
    shapes += [Group(f"blocked {number}", tuple(_stop()), at) for number, at in enumerate(crosses, 1)]
    if view.pen is not None:
        ring = Ring((0, 0), 0.28 if lost else 0.4, 0.06, Role.INK, wobble=1)
        shapes.append(Group(f"pen {view.pen}", (ring,), sheet.middle(view.pen)))
    spot = spot_by_cells(view.size, view.size, sheet.middle, 0.36)
    return Board(
        *sheet.extent,
        sheet.unit,
        tuple(shapes),
        note=note(view),
        trophy=_trophy(seen),
        legend=_progress(view) if seen.winners is None else _ending(view),
        legend_below=True,
        spot=spot,
        ground=(*sheet.grid(), *sheet.labels()),
    )


def _progress(view: XLinesView) -> tuple[Item, ...]:
    """Return the number of x's placed, later of those on the trail, and what the game is about."""
    done, deed = xs_done(view)
    count = text_item(f"{done} of {view.size} x's {deed}", 34)
    return count, space(30), text_item(AIM, 34, Role.MUTED)


def _ending(view: XLinesView) -> tuple[Item, ...]:
    """Return the line that lost the game, and a sample of its mark."""
    if not view.lines or view.choices:
        return ()
    sample = Group(
        "",
        (*_losing(((0.0, 0.0), (1.4, 0.0))), *_strokes(((0.0, 0.0), (1.4, 0.0)), len(view.lines) - 1)),
        scale=50,
    )
    loser = Item(70, (sample,)), space(16), text_item(f"{view.lines[-1]} loses", 36)
    if len(view.used) == view.size:
        return loser
    cross = Group("", tuple(_stop()), (17, 0), 60)
    return *loser, space(30), Item(34, (cross,)), space(12), text_item("no way on", 36)


def _tries(sheet: Squares, view: XLinesView) -> Iterator[tuple[Group, Point]]:
    """Yield the dots of each way from the pen towards an x without a line, and the point at which it is blocked."""
    for way in dict.fromkeys(_blocked_ways(view)):
        points = [sheet.middle(cell) for cell in way]
        if way[-1] in view.xs:
            # The cross stands before the x, so that both can be seen.
            share = 0.4 / math.dist(*points[-2:])
            points[-1] = blend(points[-2:], (share, 1 - share))
        dots = (
            Disc(blend((start, end), (1 - step / steps, step / steps)), size, ink)
            for size, ink in ((0.06, Role.PAGE), (0.04, Role.CORRECTION))
            for start, end in pairwise(points)
            for steps in (max(2, round(5 * math.dist(start, end))),)
            for step in range(1, steps)
        )
        yield Group("", tuple(dots)), points[-1]


def _blocked_ways(view: XLinesView) -> Iterator[tuple[Cell, ...]]:
    """Yield the ways from the pen to each x without a line, as cells: the pen, perhaps a corner, the first obstacle."""
    if view.pen is None:
        return
    run = {
        (cell, here.row == there.row) for here, there in _parts(view.lines) for cell in between(here, there)
    }
    for end in view.xs:
        if end in view.used:
            continue
        for line in ways(view.pen, end):
            way = [view.pen]
            for here, there in _parts([line]):
                level = here.row == there.row
                met = (
                    cell
                    for cell in (*between(here, there), there)
                    if cell != end and (cell in view.xs or (cell != there and (cell, not level) in run))
                )
                if obstacle := next(met, None):
                    yield (*way, obstacle)
                    break
                way.append(there)


def _parts(lines: Iterable[Line]) -> Iterator[tuple[Cell, Cell]]:
    """Yield both ends of each straight part of lines."""
    for line in lines:
        yield from pairwise(corners(line))


def _stop() -> Iterator[Stroke]:
    """Yield the cross where a way is blocked."""
    for width, ink in ((0.17, Role.PAGE), (0.08, Role.CORRECTION)):
        yield Stroke(((-0.15, -0.15), (0.15, 0.15)), width, ink, wobble=0)
        yield Stroke(((0.15, -0.15), (-0.15, 0.15)), width, ink, wobble=0)


def _losing(points: tuple[Point, ...]) -> tuple[Stroke, ...]:
    """Return the firm edge under the line that lost the game."""
    return tuple(Stroke(points, width, ink, wobble=0) for width, ink in ((0.42, Role.INK), (0.34, _GLOW)))


def _onto(sheet: Squares, points: Sequence[Point]) -> tuple[Point, ...]:
    """Convert columns and rows, whole or not, to points of the board."""
    x, y = sheet.middle(Cell(0, 0))
    return tuple((x + column, y - row) for column, row in points)


def _last(sheet: Squares, view: XLinesView, trail: Sequence[tuple[Point, ...]]) -> Iterator[Group]:
    """Yield a highlight under the line drawn last or the x placed last, and a weaker one under the move before."""
    if trail:
        if len(trail) > 1:
            yield Group("previous", (Stroke(bent(trail[-2]), 0.28, _FADED, wobble=0),))
        x, y = at = sheet.middle(view.lines[-1].end)
        line = tuple((px - x, py - y) for px, py in bent(trail[-1]))
        yield Group("last", (Stroke(line, 0.34, _GLOW, wobble=0),) if view.choices else _losing(line), at)
        return
    if len(view.xs) > 1:
        yield Group("previous", (Disc((0, 0), 0.34, _FADED),), sheet.middle(view.xs[-2]))
    if view.xs:
        shapes: list[Shape] = [Disc((0, 0), 0.38, _GLOW)]
        if len(view.xs) < view.size:
            shapes.append(Ring((0, 0), 0.38, 0.04, Role.INK, wobble=1))
        yield Group("last", tuple(shapes), sheet.middle(view.xs[-1]))


def _choices(
    sheet: Squares,
    view: XLinesView,
    offered: Sequence[Line],
    trail: Sequence[tuple[Point, ...]],
    owners: Sequence[Point],
) -> Iterator[Group]:
    """Yield the dotted lines that may be drawn, each with its letter off names, owners and other lines."""
    routes = [_onto(sheet, corners(line)) for line in offered]
    letters = letters_of([str(line) for line in offered])
    names = [sheet.box(_name(sheet, view, cell, sheet.middle(cell))) for cell in view.choices]
    radius = max(0.2, sheet.units(22))
    marks = [*owners]
    # A line without a choice is as strong as the x's at its ends.
    inks: tuple[tuple[float, Ink], ...] = ((0.085, Role.PAGE), (0.045, Role.MUTED))
    if len(offered) == 1:
        inks = (0.11, Role.PAGE), (0.07, Role.INK)
    for number, (line, points) in enumerate(zip(offered, routes, strict=True)):
        # The edge of each dot shows on lines and on the highlight of the last one.
        places = tuple(
            blend((start, end), (1 - step / steps, step / steps))
            for start, end in pairwise(points)
            for steps in (5 * round(math.dist(start, end)),)
            for step in range(steps)
        )
        dots: list[Shape] = [Dots(places, size, ink) for size, ink in inks]
        if letters:
            others = [*routes[:number], *routes[number + 1 :], *trail]
            at = free_point(near_end(points), radius, marks, others, names)
            marks.append(at)
            dots += [Disc(at, radius, Role.PAGE), Ring(at, radius, sheet.units(2.5), Role.MUTED, wobble=0.4)]
            dots.append(Text(at, letters[str(line)], sheet.units(37)))
        yield Group(f"choice {line}", tuple(dots))


def _name(sheet: Squares, view: XLinesView, cell: Cell, middle: Point = (0, 0)) -> Text:
    """Return the name of an x with this `middle` that a line may be drawn to: below it, or above it off such lines.

    Names of the lowest row are above it, too, if there is room. Those below are smaller, because the letters of the
    columns are there.
    """
    x, y = middle
    far, least = max(0.41, sheet.units(30)), max(30.0, 0.36 * sheet.unit)
    below = _is_reached(view, cell, -1) or (not cell.row and cell.beside()[0] not in view.choices)
    if below and not _is_reached(view, cell, 1) and cell.row < view.size - 1:
        far = -far
    elif not cell.row:
        far, least = max(0.35, sheet.units(24)), max(30.0, 0.3 * sheet.unit)
    return Text((x, y + far), str(cell), sheet.units(least))


def _is_reached(view: XLinesView, cell: Cell, up: int) -> bool:
    """Return True if a line that is offered reaches the x from above, where `up` is 1, or from below (-1)."""
    ends = (corners(line)[-2:] for line in view.open if view.pen is not None)
    return any(
        end == cell and it.column == cell.column and (it.row > cell.row) == (up > 0) for it, end in ends
    )


def _spot(sheet: Squares, view: XLinesView, cell: Cell) -> Group:
    """Return a dot where an x may be placed, or the name of an x that a line may be drawn to."""
    if cell not in view.xs:
        return Group(f"choice {cell}", (Disc((0, 0), 0.05, Role.MUTED),), sheet.middle(cell))
    name = _name(sheet, view, cell)
    return Group(f"target {cell}", (sheet.ground(name), name), sheet.middle(cell))


def _cross(sheet: Squares, view: XLinesView, cell: Cell) -> Group:
    """Return an x: two quick strokes, small and pale once a line has used it (dark on the glow of the last one).

    A used x has an edge, because it lies on lines.
    """
    used = cell in view.used
    kind, reach, width = ("used", 0.17, 0.06) if used else ("x", 0.21, 0.095)
    ink = Role.MUTED if used and cell not in view.used[-2:] else Role.INK
    # Each x leans a little differently.
    lean = 0.03 * math.sin(3.7 * cell.column + 5.3 * cell.row)
    strokes = (
        Stroke(((-reach, -reach + lean), (reach + lean, reach)), width, ink, wobble=0.7),
        Stroke(((-reach - lean, reach), (reach, -reach - lean)), width, ink, wobble=0.7),
    )
    edge = tuple(stroke._replace(width=width + 0.08, ink=Role.PAGE) for stroke in strokes) if used else ()
    return Group(f"{kind} {cell}", (*edge, *strokes), sheet.middle(cell))


def _owners(sheet: Squares, trail: Sequence[tuple[Point, ...]], view: XLinesView) -> Iterator[Group]:
    """Yield the mark of its seat on each line, where the other lines leave room.

    The mark of a line that is one cell long stands beside it and does not hide it.
    """
    radius = max(0.19, sheet.units(15))
    marks: list[Point] = []
    for number, points in enumerate(trail):
        at = free_point(points, radius, marks, [*trail[:number], *trail[number + 1 :]])
        if len(points) == 2 and math.dist(*points) < 1.1:
            at = _beside(sheet, points, view, number, radius, marks)
        marks.append(at)
        edge = Disc((0, 0), radius + 0.03, Role.PAGE)
        yield Group(f"owner {number + 1}", (edge, piece("", number % 2, (0, 0), radius)), at)


def _beside(
    sheet: Squares,
    points: tuple[Point, ...],
    view: XLinesView,
    number: int,
    radius: float,
    marks: Sequence[Point],
) -> Point:
    """Return the point beside the middle of a short straight line, for a mark with this radius in cells.

    It is on the board, on the side that is further from all else. `number` is the index of the line.
    """
    (ax, ay), (bx, by) = points[0], points[-1]
    x, y, across, down = (ax + bx) / 2, (ay + by) / 2, (ay - by) * 0.42, (bx - ax) * 0.42
    full = {*view.xs} | {
        cell
        for here, there in _parts((*view.lines[:number], *view.lines[number + 1 :]))
        for cell in (here, *between(here, there), there)
    }
    near = [*marks, *(sheet.middle(cell) for cell in full if cell not in corners(view.lines[number]))]
    left, low = sheet.middle(Cell(0, 0))
    right, top = sheet.middle(Cell(view.size - 1, view.size - 1))
    off = 0.5 - radius
    sides = [
        at
        for at in ((x + across, y + down), (x - across, y - down))
        if left - off <= at[0] <= right + off and top - off <= at[1] <= low + off
    ]
    return max(sides, key=lambda at: min((math.dist(at, other) for other in near), default=0.0))


def _strokes(points: tuple[Point, ...], number: int) -> tuple[Stroke, ...]:
    """Return the strokes of a line; those of the second player are hollow."""
    inks: list[tuple[float, Ink]] = [(0.18, Role.PAGE), (0.12, SEATS[number % 2])]
    if number % 2:
        inks.append((0.04, Role.PAGE))
    return tuple(Stroke(points, width, ink, wobble=0.35) for width, ink in inks)


def _trophy(seen: Observation) -> Group | None:
    """Return the pencil of the loser, who drew the last line."""
    if seen.winners is None or len(seen.winners) != 1:
        return None
    loser = 1 - seen.winners[0]
    return Group(f"pencil {loser}", broken_pencil(loser))


def _mark() -> Icon:
    crosses = (
        ruled((x - side * 0.2, y - 0.2), (x + side * 0.2, y + 0.2), ink=Role.INK, width=0.15)
        for x, y in ((-0.44, 0.44), (0.44, -0.44))
        for side in (-1, 1)
    )
    trail = ruled((-0.44, 0.44), (-0.44, -0.44), (0.44, -0.44), ink=Role.SEAT_1, width=0.2)
    return *tile(), trail, *crosses


def _drawn_cross(at: Point, size: float, ink: Ink) -> Icon:
    x, y = at
    return (
        pencil((x - size, y - size), (x + size, y + size), ink=ink),
        pencil((x - size, y + size), (x + size, y - size), ink=ink),
    )


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # A line that ends before the x's do.
        "xlines.stuck": (
            *_drawn_cross((-0.44, 0.4), 0.14, Role.INK),
            *_drawn_cross((0.44, -0.42), 0.14, Role.MUTED),
            *_drawn_cross((0.46, 0.4), 0.14, Role.MUTED),
            pencil((-0.44, 0.24), (-0.4, -0.34), (0.08, -0.3), ink=Role.SEAT_1, width=0.11),
            pencil((0.12, -0.52), (0.14, -0.06), width=0.13),
        ),
    }
)
"""The icons of the achievements, by their keys."""
