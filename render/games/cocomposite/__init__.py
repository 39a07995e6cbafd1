"""Co-Compositeness: the trail of the odd numbers on squared paper, with the squares of each seat."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import gcd
from types import MappingProxyType

from render.board.areas import hatch
from render.board.game_board import Board, Spot, draw_board, spot_by_cells, whole_board
from render.board.seats import SLANTS, Item, line_width, piece, space, text_item
from render.board.squares import Squares
from render.engine import fonts
from render.engine.icons import Icon, pencil, tile
from render.engine.scene import (
    Area,
    Disc,
    Face,
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
from render.games.cocomposite.words import note, taken_apart, writers_of
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import Cell, joined, letter
from rules.games.cocomposite import CocompositeView, Numbers, primes, spread

_LARGEST = 130.0
"""The width of a square on a small board, in page units."""
_ROOMY = 70.0
"""The least width of a square with room for a number and a seat's mark, in page units."""
_WHOLE = 72.0
"""The width of a square in a picture with all numbers, in page units."""
_STAGGERED = 48.0
"""Squares narrower than this, in page units, are too narrow for three digits in a row."""
_SMALL, _TIGHT, _FINAL, _LEGIBLE = 33.5, 30.0, 36.8, 36.8
"""The sizes, in page units, of the smallest number in play, of the longest names of squares and of what shares a square
with a name, and of other texts.

A phone shows them eleven pixels high or higher, and those of size `_TIGHT` ten pixels. The last picture of a game, with
texts of the size `_FINAL`, is wider, and so is shown smaller.
"""
_HIGH = 0.66
"""The greatest size of two numbers in a square, in squares."""
_IN_PLAY = 854.0
"""The height of the board in play with the line below it, in page units."""
_WIDEST = 850.0
"""The greatest width of the line below the board, in page units."""
_GLOW = Mix(Role.ACCENT, 0.375)
_ALONE, _SHARED = (0.125, 0.25), (0.375, 0.625)
"""The shares of a seat's colour in the ground and the hatching of a square: where it wrote, and where it scored."""
_AROUND = rectangle(-0.51, -0.51, 0.51, 0.51)
_FRAME = ((-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45))


@draw_board.register
def picture(view: CocompositeView, seen: Observation) -> Board:
    return _drawn(view, seen, _sheet(view, seen))


@whole_board.register
def with_all_numbers(view: CocompositeView, seen: Observation) -> Callable[[], Board] | None:
    """Draw the whole board with all numbers, if the usual picture leaves numbers out."""
    sheet = _sheet(view, seen)
    if all(
        sheet.holds(cell) and (len(numbers) == 2 or not _is_quiet(sheet, view, seen, cell))
        for cell, numbers in view.squares
    ) and _are_whole(sheet, view, _least(seen)):
        return None
    return lambda: _drawn(view, seen, Squares(view.size, view.size, _WHOLE))


def _drawn(view: CocompositeView, seen: Observation, sheet: Squares) -> Board:
    """Return the board, or the part of it that this sheet holds."""
    view = replace(view, squares=tuple(it for it in view.squares if sheet.holds(it[0])))
    offered = view.choices if seen.winners is None else ()
    shapes: list[Shape] = [*_labels(sheet, offered)]
    if _is_part(sheet, view):
        shapes += sheet.edges(view.size)
    if view.path:
        shapes += _walked(sheet, view)
        shapes += [_choice(sheet, view, cell) for cell in offered]
        if seen.winners is None:
            shapes += [_blocked(sheet, view, cell) for cell in _shut(view)]
        shapes.append(_last(sheet, view))
    else:
        named = {*spread(view.size)}
        shapes += [_first_choice(sheet, cell, named=cell in named) for cell in offered]
    lifted = set(offered)
    writers, last = writers_of(view), view.path[-1] if view.path else None
    least = _least(seen)
    whole = _are_whole(sheet, view, least)
    shapes += [
        _dot(sheet, cell)
        if len(numbers) == 1 and _is_quiet(sheet, view, seen, cell)
        else _square(
            sheet,
            cell,
            numbers,
            writers[cell],
            least=least if cell == last else 0,
            lifted=cell in lifted,
            whole=whole,
        )
        for cell, numbers in view.squares
    ]
    shapes += _marks(sheet, view)
    return Board(
        *sheet.extent,
        sheet.unit,
        tuple(shapes),
        note=note(view),
        headline=_headline(view) if seen.winners is None else (),
        legend=_meaning(sheet, view) if seen.winners is None else _scoring(view, whole=whole),
        spot=_spots(sheet, view.size),
        ground=(*sheet.grid(),),
        in_play=_IN_PLAY,
    )


def _least(seen: Observation) -> float:
    """Return the size of the smallest text, in page units."""
    return _SMALL if seen.winners is None else _FINAL


def _is_part(sheet: Squares, view: CocompositeView) -> bool:
    """Return True if only a part of the board is drawn."""
    return min(sheet.width, sheet.height) < view.size


def _is_quiet(sheet: Squares, view: CocompositeView, seen: Observation, cell: Cell) -> bool:
    """Return True if the trail leads through a dot instead of the number of a square.

    The end of a long game shows what scored, and the last number if there is room for it.
    """
    if seen.winners is None or sheet.unit >= _ROOMY:
        return False
    return cell != view.path[-1] or not _fits(sheet, view.number - 2, _FINAL)


def _are_whole(sheet: Squares, view: CocompositeView, least: float) -> bool:
    """Return True if there is room for both numbers of every shared square; if not, each shows their factor.

    `least` is the size of the smallest text in page units.
    """
    pairs = (numbers for _, numbers in view.squares if len(numbers) == 2)
    return least <= _HIGH * sheet.unit and all(
        fonts.width(_longest(it), Face.READ, least) <= 0.94 * sheet.unit for it in pairs
    )


def _spots(sheet: Squares, size: int) -> Callable[[str], Spot | None]:
    """Find squares by their names, if they are drawn."""
    spot_of = spot_by_cells(size, size, sheet.middle, 0.45)
    width, height = sheet.extent

    def find(name: str) -> Spot | None:
        spot = spot_of(name)
        inside = spot and all(0 < x < width and 0 < y < height for x, y in spot.points)
        return spot if inside else None

    return find


def _sheet(view: CocompositeView, seen: Observation) -> Squares:
    """Return the part of the board that is drawn: at the end that with all numbers, before that near the last one."""
    if not view.path:
        return Squares.of(view.size, view.size, _LARGEST)
    if seen.winners is None:
        return Squares.near(view.path, view.size, _LARGEST)
    return Squares.around(view.path, view.size, view.size, _LARGEST)


def _labels(sheet: Squares, offered: tuple[Cell, ...]) -> Iterator[Text]:
    """Letters and numbers along the edges, strong for squares that can be played now."""
    near = {name for cell in offered for name in (letter(cell.column), str(cell.row + 1))}
    for text in sheet.labels():
        yield text._replace(ink=Role.INK) if text.words in near and len(near) <= 6 else text


def _walked(sheet: Squares, view: CocompositeView) -> list[Group]:
    """Return the squares in the colours of those who wrote there last, the trail, and the shared factors."""
    writers = writers_of(view)
    owned, shared = (
        [
            Group(
                f"{kind} {cell}",
                _owned(sheet.unit, writers[cell], shared=kind == "shared"),
                sheet.middle(cell),
            )
            for cell, numbers in view.squares
            if len(numbers) == count
        ]
        for count, kind in ((1, "owned"), (2, "shared"))
    )
    factors = [
        _factor(sheet, cell, numbers)
        for cell, numbers in view.squares
        if len(numbers) == 2 and _is_roomy(sheet, numbers)
    ]
    # The trail ends at the edges of shared squares, so that it crosses none of their numbers.
    return [*owned, *_trail(sheet, view), *shared, *factors]


@lru_cache(maxsize=256)
def _owned(unit: float, seat: Seat, *, shared: bool) -> tuple[Shape, ...]:
    """Return the tint and the hatching of a square in which a seat wrote last; `shared` if it scored there."""
    ground, strokes = _SHARED if shared else _ALONE
    corners = rectangle(-0.47, -0.47, 0.47, 0.47)
    shapes: list[Shape] = [Area(corners, Mix(SEATS[seat], ground))]
    for slant in SLANTS[seat]:
        shapes += hatch([corners], 13 / unit, slant, 2 / unit, Mix(SEATS[seat], strokes), wobble=0)
    if shared:
        shapes.append(Stroke(corners, 3 / unit, SEATS[seat], wobble=0.5, closed=True))
    return tuple(shapes)


@lru_cache(maxsize=1024)
def _factor(sheet: Squares, cell: Cell, numbers: Numbers) -> Group:
    """Return the factor that two numbers share, in the corner of their square, right of the numbers."""
    factor = str(gcd(*numbers))
    right = _PAIR_LEFT + sheet.units(fonts.width(str(numbers[-1]), Face.READ, _pair_size(sheet, numbers)))
    size = max(_SMALL, fonts.fitted(factor, Face.READ, 0.345 * sheet.unit, (0.44 - right) * sheet.unit))
    text = Text((0.29, 0.25), factor, sheet.units(size), Role.MUTED)
    return Group(f"factor {cell}", (Disc(text.at, 0.17, Role.PAGE), text), sheet.middle(cell))


def _choice(sheet: Squares, view: CocompositeView, cell: Cell) -> Group:
    """Return a frame around a square that may be played, filled if that scores, with its name."""
    scores = cell in view.scoring
    shapes: list[Shape] = [Area(_FRAME, _GLOW if scores else Role.PAGE)]
    line = Stroke(_FRAME, sheet.units(2), Role.INK, wobble=0.6, closed=True)
    shapes += _golden_frame(sheet.units(1)) if scores else (line,)
    size = max(_TIGHT if scores else _SMALL, (0.36 if scores else 0.4) * sheet.unit)
    size = max(_TIGHT, fonts.fitted(str(cell), Face.READ, size, 0.84 * sheet.unit))
    shapes.append(Text((0, 0.23 if scores else 0), str(cell), sheet.units(size)))
    mark = (Group(f"scoring {cell}", ()),) if scores else ()
    return Group(f"choice {cell}", (*shapes, *mark), sheet.middle(cell))


def _first_choice(sheet: Squares, cell: Cell, *, named: bool) -> Group:
    """Return a dot in a square where 1 may be written, or the name of the square if it has a button."""
    if not named:
        return Group(f"choice {cell}", (Disc((0, 0), sheet.units(4), Role.MUTED),), sheet.middle(cell))
    name = Text((0, 0), str(cell), sheet.units(_LEGIBLE))
    return Group(f"choice {cell}", (sheet.ground(name), name), sheet.middle(cell))


def _golden_frame(unit: float) -> tuple[Stroke, ...]:
    """Return the frame of a square that scores; `unit` is the length of a page unit."""
    return tuple(
        Stroke(_FRAME, width * unit, ink, wobble=0.6, closed=True)
        for width, ink in ((11, Role.INK), (6, Role.ACCENT))
    )


def _trail(sheet: Squares, view: CocompositeView) -> Iterator[Group]:
    """Yield a line through the numbers, each step in the colour of its seat, the last one strong."""
    # A group for each step: what is drawn of the earlier ones is kept when the trail grows.
    lines = [
        Stroke(step, sheet.units(4), SEATS[seat], wobble=0.6)
        for (start, end), seat in zip(pairwise(view.path), view.writers[1:], strict=True)
        if (step := _visible(sheet, start, end))
    ]
    if lines:
        last = Stroke(lines[-1].points, sheet.units(9), Role.INK, wobble=0.6)
        strokes = *lines[:-1], last, lines[-1]._replace(width=sheet.units(5))
        yield Group("trail", tuple(Group("", (stroke,)) for stroke in strokes))


def _visible(sheet: Squares, start: Cell, end: Cell) -> tuple[Point, ...]:
    """Return the line between two neighbouring squares, or its half in the part of the board that is drawn."""
    ends = sheet.middle(start), sheet.middle(end)
    (x, y), (to_x, to_y) = ends
    edge = (x + to_x) / 2, (y + to_y) / 2
    match sheet.holds(start), sheet.holds(end):
        case True, True:
            return ends
        case True, False:
            return ends[0], edge
        case False, True:
            return edge, ends[1]
    return ()


def _last(sheet: Squares, view: CocompositeView) -> Group:
    """Return a disc behind the last number, or a frame if the square has two numbers, which a disc would cut."""
    cell = view.path[-1]
    if len(dict(view.squares)[cell]) == 2:
        frame = (
            Stroke(_AROUND, sheet.units(width), ink, wobble=0.6, closed=True)
            for width, ink in ((10, Role.ACCENT), (4, Role.INK))
        )
        return Group("last", tuple(frame), sheet.middle(cell))
    around = Ring((0, 0), 0.46, sheet.units(4), Role.INK, wobble=0.8)
    return Group("last", (Disc((0, 0), 0.46, _GLOW), around), sheet.middle(cell))


def _blocked(sheet: Squares, view: CocompositeView, cell: Cell) -> Group:
    """Return a cross on a square beside the last number that cannot take the next number.

    It is in a corner that the trail does not pass, on the side that a wide number leaves free.
    """
    number = dict(view.squares)[cell][0]
    ups: tuple[int, ...] = (-1, 1)
    if not _fits(sheet, number, _SMALL):
        ups = (-1,) if _staggered(sheet, cell) > 0 else (1,)
    reach = max(0.1, sheet.units(7))
    corner = 0.46 - reach
    free = [(right, up) for up in ups for right in (-1, 1) if (right, up) not in _ways(view, cell)]
    right, up = free[0] if free else (0, ups[0])
    at = right * corner, up * corner
    return Group(f"blocked {cell}", _cross(at, reach, sheet.units(4.5)), sheet.middle(cell))


def _ways(view: CocompositeView, cell: Cell) -> set[tuple[int, int]]:
    """Return the directions in which the trail leaves a square, in columns to the right and rows down."""
    at = view.path.index(cell)
    beside = (*view.path[max(at - 1, 0) : at], *view.path[at + 1 : at + 2])
    return {(other.column - cell.column, cell.row - other.row) for other in beside}


def _cross(at: Point, reach: float, width: float) -> tuple[Stroke, ...]:
    """Return a cross that reaches so far from its middle."""
    x, y = at
    return tuple(
        Stroke(((x - reach, y - reach * lean), (x + reach, y + reach * lean)), width, Role.FORBIDDEN)
        for lean in (1, -1)
    )


def _shut(view: CocompositeView) -> list[Cell]:
    """Return the squares around the last number whose number shares no factor with the next.

    Full squares need no cross.
    """
    column, row = view.path[-1]
    near = (
        cell
        for cell, numbers in view.squares
        if len(numbers) == 1 and max(abs(cell.column - column), abs(cell.row - row)) == 1
    )
    return [cell for cell in near if cell not in view.choices]


@lru_cache(maxsize=2048)
def _square(
    sheet: Squares, cell: Cell, numbers: Numbers, writer: Seat, *, least: float, lifted: bool, whole: bool
) -> Group:
    """Return the numbers of a square, with no line behind them.

    `least` is the smallest size of the last number in page units, and 0 for other squares. Without `whole`, two numbers
    are replaced by their factor.
    """
    full = len(numbers) == 2
    ground: Ink = Mix(SEATS[writer], (_SHARED if full else _ALONE)[0])
    shapes: list[Shape] = []
    last = least > 0
    single = (
        _last_single(sheet, cell, numbers[0], least) if last else _single(sheet, cell, numbers[0], lifted)
    )
    for text in _pair(sheet, cell, numbers, whole=whole) if full else single:
        if not lifted and (full or not last):
            shapes.append(sheet.ground(text, ground))
        shapes.append(text)
    return Group(f"square {cell}", tuple(shapes), sheet.middle(cell))


def _dot(sheet: Squares, cell: Cell) -> Group:
    """Return a dot in the place of a number that did not score."""
    return Group(f"square {cell}", (Disc((0, 0), 0.13, Role.MUTED),), sheet.middle(cell))


def _last_single(sheet: Squares, cell: Cell, number: int, least: float) -> Iterator[Text]:
    """Yield the last number, in the middle of its disc if it is not much wider than the disc."""
    size = fonts.fitted(str(number), Face.READ, max(_LEGIBLE, 0.42 * sheet.unit), 0.9 * sheet.unit)
    wide = fonts.width(str(number), Face.READ, _SMALL) > sheet.unit
    yield Text((0, _staggered(sheet, cell) if wide else 0), str(number), sheet.units(max(least, size)))


def _single(sheet: Squares, cell: Cell, number: int, lifted: bool) -> Iterator[Text]:
    """Yield one number in the middle of its square, or higher to leave room for the name below."""
    size = max(_TIGHT, 0.36 * sheet.unit)
    if not lifted:
        size = fonts.fitted(str(number), Face.READ, max(_LEGIBLE, 0.42 * sheet.unit), 0.9 * sheet.unit)
        size = max(_SMALL, size)
    if _fits(sheet, number, size):
        yield Text((0, -0.23 if lifted else 0), str(number), sheet.units(size))
    elif number < 1000:
        yield Text((0, _staggered(sheet, cell)), str(number), sheet.units(size))
    else:
        # Two numbers occur in shaded squares only, so this reads as one number in two lines.
        for off, digits in ((-9, f"{number}"[:2]), (9, f"{number}"[2:])):
            yield Text((0, sheet.units(off)), digits, sheet.units(size))


def _staggered(sheet: Squares, cell: Cell) -> float:
    """Return the distance below the middle of a square for a number that is wider than the square.

    Columns alternate between high and low, so that neighbouring numbers do not touch.
    """
    return sheet.units(13.5 if cell.column % 2 else -13.5)


def _pair(sheet: Squares, cell: Cell, numbers: Numbers, *, whole: bool) -> Iterator[Text]:
    """Yield two numbers, the first above the second; their factor if they are not `whole`."""
    size = _pair_size(sheet, numbers)
    if not whole:
        factor = gcd(*numbers)
        off = 0 if _fits(sheet, factor, _LEGIBLE) else _staggered(sheet, cell)
        yield Text((0, off), str(factor), sheet.units(_LEGIBLE))
    elif not _is_roomy(sheet, numbers):
        yield from (
            Text((0, off), str(n), sheet.units(size)) for off, n in zip((-0.24, 0.25), numbers, strict=True)
        )
    else:
        for off, number in zip((-0.21, 0.23), numbers, strict=True):
            yield Text((_PAIR_LEFT, off), str(number), sheet.units(size), anchor="l")


_PAIR_LEFT = -0.45
"""The left end of two numbers in a square with room for their factor, in squares right of its middle."""


def _is_roomy(sheet: Squares, numbers: Numbers) -> bool:
    """Return True if two numbers with their factor beside them can be read on a phone."""
    return _size_beside_factor(sheet, numbers) >= _SMALL


def _size_beside_factor(sheet: Squares, numbers: Numbers) -> float:
    """Return the size of two numbers that leave room for their factor, in page units."""
    return fonts.fitted(_longest(numbers), Face.READ, 0.42 * sheet.unit, 0.58 * sheet.unit)


def _pair_size(sheet: Squares, numbers: Numbers) -> float:
    """Return the size of two numbers in a square, in page units."""
    if _is_roomy(sheet, numbers):
        return _size_beside_factor(sheet, numbers)
    high = max(0.56 * sheet.unit, min(_HIGH * sheet.unit, _LEGIBLE))
    return max(_SMALL, fonts.fitted(_longest(numbers), Face.READ, high, 0.94 * sheet.unit))


def _longest(numbers: Numbers) -> str:
    return max(map(str, numbers), key=len)


def _fits(sheet: Squares, number: int, size: float) -> bool:
    return fonts.width(str(number), Face.READ, size) <= 0.94 * sheet.unit


def _marks(sheet: Squares, view: CocompositeView) -> Iterator[Group]:
    """Yield the mark of the seat that wrote last in a corner of each square where it scored, and of the last square."""
    shared = {cell: numbers for cell, numbers in view.squares if len(numbers) == 2}
    writers = writers_of(view)
    for cell in sorted({*shared, *view.path[-1:]}):
        seat = writers[cell]
        x, y = sheet.middle(cell)
        if _is_roomy(sheet, shared[cell]) if cell in shared else sheet.unit >= _ROOMY:
            yield piece(f"writer {cell}", seat, (x + 0.34, y - 0.34), 0.14)
        else:
            # Where numbers alternate between high and low, keep the mark off its own number.
            down = 0.5 if sheet.unit < _STAGGERED and cell.column % 2 == 0 else -0.5
            yield piece(f"writer {cell}", seat, (x + 0.5, y + down), sheet.units(11))


def _headline(view: CocompositeView) -> tuple[Item, ...]:
    """Return the next number with its factors."""
    return Item(0, (Group(f"next {view.number}", ()),)), text_item(f"next {taken_apart(view.number)}", 42)


def _meaning(sheet: Squares, view: CocompositeView) -> tuple[Item, ...]:
    """Return what scores, golden squares if there are any, and the meaning of the crosses if there are any.

    The size of the board follows if only a part is drawn and there is room.
    """
    line: list[Item] = []
    if view.scoring:
        sample = Group("", (Area(_FRAME, _GLOW), *_golden_frame(1 / 40)), (20, 0), 40)
        line += [Item(40, (sample,)), space(12), text_item("scores", 34)]
    elif factors := list(map(str, dict.fromkeys(primes(view.number)))):
        prime = factors == [str(view.number)]
        rule = f"{view.number} cannot score" if prime else f"scores on multiples of {joined(factors, 'or')}"
        line.append(text_item(rule, 34, Role.MUTED))
    if view.path and _shut(view):
        cross = Group("", _cross((0.0, 0.0), 10, 4.5), (12, 0))
        line += [space(44 if line else 0), Item(24, (cross,)), space(12)]
        line.append(text_item("no shared factor", 34, Role.MUTED))
    if _is_part(sheet, view):
        size = text_item(f"part of {view.size} × {view.size}", 34, Role.MUTED)
        gap = 44 if line else 0
        if line_width([*line, size]) + gap <= _WIDEST:
            line += [space(gap), size]
    return tuple(line)


def _scoring(view: CocompositeView, *, whole: bool) -> tuple[Item, ...]:
    """Return a sample of a shared square with its points, if there is such a square, and what it shows."""
    if all(len(numbers) == 1 for _, numbers in view.squares):
        return ()
    ground = Area(_FRAME, Mix(Role.MUTED, _SHARED[0]))
    sample = Group("", (ground, Stroke(_FRAME, 0.08, Role.MUTED, closed=True)), (20, 0), 40)
    words = "1 point each" if whole else "1 point each, with the shared factor"
    return Item(40, (sample,)), space(12), text_item(words, 36, Role.MUTED)


MARK = (*tile(Mix(Role.SEAT_2, 0.25)), Text((0, -0.03), "15", 1.3, Role.INK))
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # A root under which nine dots stand in a square.
        "cocomposite.roots": (
            pencil((-0.72, 0.06), (-0.56, -0.02), (-0.36, 0.52), (-0.14, -0.56), (0.7, -0.56)),
            *(
                Disc((0.08 + 0.24 * column, -0.24 + 0.24 * row), 0.08, Role.SEAT_3)
                for column in range(3)
                for row in range(3)
            ),
        ),
    }
)
"""The icons of the achievements, by their keys."""
