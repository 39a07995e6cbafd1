"""Co-Compositeness: the trail of the odd numbers on squared paper, shaded where two of them met."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import gcd
from types import MappingProxyType

from render.board.game_board import Board, Spot, draw_board, spot_by_cells
from render.board.seats import Item, line_width, piece, space, text_item
from render.board.squares import Squares
from render.engine import fonts
from render.engine.icons import Icon, pencil, tile
from render.engine.scene import Area, Disc, Face, Group, Ink, Mix, Ring, Role, Shape, Stroke, Text, rectangle
from render.engine.theme import SEATS
from render.games.cocomposite.words import note, taken_apart, writers_of
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import Cell, letter
from rules.games.cocomposite import CocompositeView, Numbers

_MOST = 9
"""The most strokes that can be counted in a square."""


def pattern(factor: int, half: float, width: float, ink: Ink) -> Iterator[Stroke]:
    """Yield slanting strokes in the square from -`half` to `half`, as many as the factor.

    The strokes of neighbouring odd numbers lean to different sides.
    """
    count = min(factor, _MOST)
    lean = 1 if factor % 4 == 3 else -1
    for stroke in range(1, count + 1):
        off = half * (2 * stroke / (count + 1) - 1)
        reach = half - abs(off)
        yield Stroke(
            ((lean * (off - reach), off + reach), (lean * (off + reach), off - reach)), width, ink, wobble=0.5
        )


_LARGEST = 130.0
"""The width of a square on a small board, in page units."""
_ROOMY = 70.0
"""The least width of a square with room for two numbers, their factor and a seat's mark, in page units."""
_NAMED = 46.0
"""The least width of a square with room for its name under a number, in page units."""
_STAGGERED = 39.0
"""Squares narrower than this, in page units, are too narrow for three digits."""
_SMALL = 22.0
"""The size of the smallest text, in page units."""
_GLOW = Mix(Role.ACCENT, 0.375)
_TINT = 0.25
"""The share of a seat's colour in a square where it scored."""
_STROKES = Mix(Role.MUTED, 0.375, Role.PATCH)
_AROUND = rectangle(-0.51, -0.51, 0.51, 0.51)
_FRAME = ((-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45))


@draw_board.register
def picture(view: CocompositeView, seen: Observation) -> Board:
    sheet = _sheet(view, seen)
    offered = view.choices if seen.winners is None else ()
    shapes: list[Shape] = [*_labels(sheet, offered)]
    if sheet.width < view.size and seen.winners is None:
        shapes += sheet.edges(view.size)
    if view.path:
        shapes += _walked(sheet, view)
        shapes += [_choice(sheet, view, cell) for cell in offered]
        shapes += [*(_blocked(sheet, cell) for cell in _shut(view)), _last(sheet, view)]
    else:
        dot = Disc((0, 0), sheet.units(4), Role.MUTED)
        shapes += [Group(f"choice {cell}", (dot,), sheet.middle(cell)) for cell in offered]
    lifted = set(offered) if sheet.unit >= _NAMED else set()
    writers, last = writers_of(view), view.path[-1] if view.path else None
    shapes += [
        _square(sheet, cell, numbers, writers[cell], last=cell == last, lifted=cell in lifted)
        for cell, numbers in view.squares
    ]
    shapes += _marks(sheet, view)
    return Board(
        *sheet.extent,
        sheet.unit,
        tuple(shapes),
        note=note(view),
        legend=_legend(view, seen),
        spot=_spots(sheet, view.size),
        ground=(*sheet.grid(),),
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
    """Return the whole board, or the part with numbers: on a poster the squares around it, before the end some more."""
    if not view.path:
        return Squares.of(view.size, view.size, _LARGEST)
    if seen.winners is None:
        return Squares.near(view.path, view.size, _LARGEST)
    return Squares.around(view.path, view.size, view.size, _LARGEST)


def _labels(sheet: Squares, offered: tuple[Cell, ...]) -> Iterator[Text]:
    """Letters and numbers along the edges, strong for squares that can be played now."""
    near = {name for cell in offered for name in (letter(cell.column), str(cell.row + 1))}
    for text in sheet.labels():
        yield replace(text, ink=Role.INK) if text.words in near and len(near) <= 6 else text


def _walked(sheet: Squares, view: CocompositeView) -> list[Group]:
    """Return the trail, and the shading of squares with two numbers.

    The trail lies under the shading where squares are small, because there only the shading shows the factor.
    """
    shared = [(cell, gcd(*numbers)) for cell, numbers in view.squares if len(numbers) == 2]
    roomy, scorers = sheet.unit >= _ROOMY, writers_of(view)
    # Strokes behind numbers are paler.
    ground, strokes = (_TINT, 0.5) if roomy else (0.125, 0.375)
    shades = [
        Group(
            f"{'shade' if roomy else 'factor'} {cell}",
            _shade(
                factor,
                0.47,
                sheet.units(2),
                Mix(SEATS[scorers[cell]], ground),
                Mix(SEATS[scorers[cell]], strokes),
            ),
            sheet.middle(cell),
        )
        for cell, factor in shared
    ]
    if not roomy:
        return [*_trail(sheet, view), *shades]
    return [*shades, *_trail(sheet, view), *(_factor(sheet, cell, factor) for cell, factor in shared)]


def _factor(sheet: Squares, cell: Cell, factor: int) -> Group:
    """Return the factor that two numbers share, in the corner of their square."""
    size = max(_SMALL, 0.24 * sheet.unit)
    text = Text((0.29, 0.25), str(factor), sheet.units(size), Role.MUTED)
    return Group(f"factor {cell}", (Disc(text.at, 0.17, Role.PAGE), text), sheet.middle(cell))


def _shade(factor: int, half: float, width: float, ground: Ink, ink: Ink) -> tuple[Shape, ...]:
    """Return the shading of a square from -`half` to `half` with two numbers: as many strokes as their factor."""
    corners = rectangle(-half, -half, half, half)
    edge = Stroke(corners, width, ink, wobble=0.5, closed=True)
    return Area(corners, ground), *pattern(factor, half, width, ink), edge


def _choice(sheet: Squares, view: CocompositeView, cell: Cell) -> Group:
    """Return a frame around a square that may be played, filled if that scores, with its name if there is room."""
    scores = cell in view.scoring
    shapes: list[Shape] = [Area(_FRAME, _GLOW if scores else Role.PAGE)]
    shapes.append(Stroke(_FRAME, sheet.units(3.5 if scores else 2), Role.INK, wobble=0.6, closed=True))
    if sheet.unit >= _NAMED:
        size = max(_SMALL, (0.27 if scores else 0.32) * sheet.unit)
        shapes.append(Text((0, 0.22 if scores else 0), str(cell), sheet.units(size)))
    mark = (Group(f"scoring {cell}", ()),) if scores else ()
    return Group(f"choice {cell}", (*shapes, *mark), sheet.middle(cell))


def _trail(sheet: Squares, view: CocompositeView) -> Iterator[Group]:
    """Yield a line through the numbers, each step in the colour of its seat, the last one strong."""
    # A group for each step: what is drawn of the earlier ones is kept when the trail grows.
    steps = list(pairwise(map(sheet.middle, view.path)))
    if steps:
        lines = [
            Stroke(step, sheet.units(4), SEATS[seat], wobble=0.6)
            for step, seat in zip(steps, view.writers[1:], strict=True)
        ]
        last = Stroke(steps[-1], sheet.units(9), Role.INK, wobble=0.6)
        strokes = *lines[:-1], last, replace(lines[-1], width=sheet.units(5))
        yield Group("trail", tuple(Group("", (stroke,)) for stroke in strokes))


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


def _blocked(sheet: Squares, cell: Cell) -> Group:
    """Return a cross on a square beside the last number that cannot take the next number."""
    (x, y), reach, width = ((-0.34, -0.34), 0.1, 4.5) if sheet.unit >= _ROOMY else ((0, 0), 0.4, 3)
    strokes = tuple(
        Stroke(
            ((x - reach, y - reach * lean), (x + reach, y + reach * lean)), sheet.units(width), Role.FORBIDDEN
        )
        for lean in (1, -1)
    )
    return Group(f"blocked {cell}", strokes, sheet.middle(cell))


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
def _square(sheet: Squares, cell: Cell, numbers: Numbers, writer: Seat, *, last: bool, lifted: bool) -> Group:
    """Return the numbers of a square, with no line behind them. `last` marks that of the last number."""
    full = len(numbers) == 2
    ground: Ink = Mix(SEATS[writer], _TINT) if full else Role.PAGE
    shapes: list[Shape] = []
    for text in _pair(sheet, cell, numbers) if full else _single(sheet, cell, numbers[0], lifted):
        if not lifted and (sheet.unit >= _ROOMY if full else not last):
            shapes.append(sheet.ground(text, ground))
        shapes.append(text)
    return Group(f"square {cell}", tuple(shapes), sheet.middle(cell))


def _single(sheet: Squares, cell: Cell, number: int, lifted: bool) -> Iterator[Text]:
    """Yield one number in the middle of its square, or higher to leave room for the name below."""
    size = max(_SMALL, (0.3 if lifted else 0.36) * sheet.unit)
    if _fits(sheet, number, size):
        yield Text((0, -0.22 if lifted else 0), str(number), sheet.units(size))
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
    return sheet.units(8.5 if cell.column % 2 else -8.5)


def _pair(sheet: Squares, cell: Cell, numbers: Numbers) -> Iterator[Text]:
    """Two numbers, the first above the second; their factor instead if they are too long."""
    size = max(_SMALL, 0.27 * sheet.unit)
    if not all(_fits(sheet, number, size) for number in (100, *numbers)):
        factor = gcd(*numbers)
        off = 0 if _fits(sheet, factor, size) else _staggered(sheet, cell)
        yield Text((0, off), str(factor), sheet.units(size))
    elif sheet.unit < _ROOMY:
        yield from (
            Text((0, off), str(n), sheet.units(size)) for off, n in zip((-0.21, 0.21), numbers, strict=True)
        )
    else:
        for off, number in zip((-0.21, 0.23), numbers, strict=True):
            yield Text((-0.45, off), str(number), sheet.units(size), anchor="l")


def _fits(sheet: Squares, number: int, size: float) -> bool:
    return fonts.width(str(number), Face.READ, size) <= sheet.unit


def _marks(sheet: Squares, view: CocompositeView) -> Iterator[Group]:
    """In the corner of a square the mark of the seat that wrote in it last.

    On small squares only for the last number and where a seat scored.
    """
    shared = {cell for cell, numbers in view.squares if len(numbers) == 2}
    for cell, seat in writers_of(view).items():
        x, y = sheet.middle(cell)
        if sheet.unit >= _ROOMY:
            yield piece(f"writer {cell}", seat, (x + 0.34, y - 0.34), 0.115)
        elif cell == view.path[-1] or cell in shared:
            # Where numbers alternate between high and low, keep the mark off its own number.
            down = 0.5 if sheet.unit < _STAGGERED and cell.column % 2 == 0 else -0.5
            yield piece(f"writer {cell}", seat, (x + 0.5, y + down), sheet.units(11))


def _legend(view: CocompositeView, seen: Observation) -> tuple[Item, ...]:
    """Return the next number with its factors, then the patterns of factors shared so far.

    The patterns have their counts at the end.
    """
    over = seen.winners is not None
    line: list[Item] = []
    if not over:
        line += [
            Item(0, (Group(f"next {view.number}", ()),)),
            text_item(f"next {taken_apart(view.number)}", 30),
        ]
    shared = Counter(gcd(*numbers) for _, numbers in view.squares if len(numbers) == 2)
    entries: list[tuple[int, list[Item]]] = []
    room = 800 - line_width(line)
    for factor, times in shared.most_common():
        swatch = Item(
            30, (Group(f"shared {factor}", _shade(factor, 1, 0.13, Role.PATCH, _STROKES), (15, 0), 15),)
        )
        count = [text_item(f"{times} ×", 26, Role.MUTED), space(8)] if over else []
        entry = [space(26), *count, swatch, space(8), text_item(str(factor), 26, Role.MUTED)]
        room -= line_width(entry)
        if room < 0:
            break
        entries.append((factor, entry))
    line += [item for _, entry in sorted(entries, key=lambda one: one[0]) for item in entry]
    return tuple(line)


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
