"""Candidates for a move, drawn on the board of the player who is choosing.

The candidates are marked and named, and the rest of the board is dimmed. A part of the board is drawn larger.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist, inf

from render.board.free_points import free_point, near_end
from render.board.game_board import Board, Spot
from render.board.page import WIDTH, scale
from render.board.side_by_side import side_by_side
from render.engine import fonts
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
    Scene,
    Shape,
    Stroke,
    Text,
    rectangle,
)
from rules.core.notation import Cell, joined, letters_of, read_cells

_MARGIN = 24
"""Page units around a board."""
_PITCH = 132.0
"""The greatest distance of neighbouring cells in a part that is drawn larger, in page units."""
_ROOM = 60.0
"""The distance of neighbouring cells that leaves room for their names on the whole board, in page units."""
_AROUND = 0.85
"""Cells that are shown beyond the middle of the outermost cells of a part."""
_NAME, _LARGEST_NAME = 30.0, 42.0
"""The size of a name on a whole board, and where a part is drawn larger."""
_LETTER = 22.0
"""The radius of the disc with the letter of a line, in page units."""
_EDGE = 12.0
"""Page units around the outline of a part that is drawn larger."""
_HUGE = 56.0
"""The size above which a text of the board is left out of a part that is drawn larger."""
_FAINT = 0.38
"""The share of their colour that dimmed things keep."""

_FAINT_LINE, _FAINT_INK = 4.5, Mix(Role.ACCENT, 0.625)
"""The line around a part that may be chosen, while nothing is dimmed."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A part of the board, from the cell at its bottom left to the one at its top right."""

    first: Cell
    last: Cell

    def __str__(self) -> str:
        return f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class Candidates:
    """The moves or places among which a player is choosing, by their canonical names.

    `place` was chosen before. `enlarged` is the part of the board that is drawn larger, or None for the whole board.
    `parts` are outlined; on the whole board they are what is chosen first, so the names are not marked.
    """

    names: tuple[str, ...]
    place: str | None = None
    enlarged: Outline | None = None
    parts: tuple[Outline, ...] = ()


def candidates_text(candidates: Candidates) -> str:
    """Return a sentence about the candidates."""
    parts = candidates.parts if candidates.enlarged is None else ()
    return f"To choose from: {joined(list(map(str, parts)) or candidates.names)}."


def candidates_scene(board: Board, candidates: Candidates) -> Scene:
    """Return the board, or the part of it that is drawn larger, with the candidates on it and nothing around it."""
    if candidates.enlarged is None:
        return _whole(board, candidates)
    return _enlarged(board, candidates, candidates.enlarged)


def outlined(board: Board, parts: Iterable[Outline], unit: float) -> Board:
    """Return the board with these parts outlined faintly; `unit` is the number of page units in a unit of the board."""
    marks = _Marks(unit, board)
    return replace(board, shapes=(*board.shapes, *(marks.faint_outline(part) for part in parts)))


def _whole(board: Board, candidates: Candidates) -> Scene:
    unit = scale(board)
    left, top = (WIDTH - unit * board.width) / 2, float(_MARGIN)
    height = round(unit * board.height + 2 * _MARGIN)
    lines = _lines(board, candidates.names)
    ends = dict.fromkeys(end for name, _ in lines for end in _ends(name) if end != candidates.place)
    strong = {f"choice {name}" for name in candidates.names} if not lines else set()
    named = {*ends, *candidates.names, candidates.place}
    shapes = [
        shape if isinstance(shape, Group) and shape.name in strong else _dimmed(shape, named)
        for shape in (*board.ground, *board.shapes)
        if not (lines and _is_choice(shape))
    ]
    marks = _Marks(unit, board)
    over: list[Shape] = []
    for name, line in lines:
        over += marks.line(name, line)
    if lines:
        # Texts lie above all shapes; no line runs through those that name an end.
        over += [marks.ground(text) for text in _texts(board) if text.words in named]
        over += _letters(board, lines, marks, named)
    for name in candidates.names if not candidates.parts else ():
        if (spot := board.spot(name)) and len(spot.points) == 1:
            over += marks.ring(name, spot)
    for name in ends:
        over += marks.end(name)
    if candidates.place is not None and (spot := board.spot(candidates.place)):
        over += marks.chosen(candidates.place, spot)
    for part in candidates.parts:
        over += marks.outline(part)
    if candidates.parts and _is_empty(board):
        shapes = [shape for shape in shapes if not _is_choice(shape)]
        over += [shape for part in candidates.parts for shape in marks.part_name(part)]
    return Scene(WIDTH, height, (Group("board", (*shapes, *over), (left, top), unit),))


def _lines(board: Board, names: Sequence[str]) -> list[tuple[str, Spot]]:
    """Return the spots of lines by their names. Lines that bend are moved off the cells where they run together."""
    lines = [(name, spot) for name in names if (spot := board.spot(name)) and len(spot.points) > 1]
    try:
        routes = [read_cells(name, "") for name, _ in lines]
    except ValueError:
        return lines
    if all(len(route) == 2 for route in routes):
        return lines
    (x, y), pitch = _middle(board, Cell(0, 0)), _pitch(board)
    return [
        (name, replace(spot, points=tuple((x + column * pitch, y - row * pitch) for column, row in moved)))
        for (name, spot), moved in zip(lines, side_by_side(routes), strict=True)
    ]


def _letters(
    board: Board, lines: Sequence[tuple[str, Spot]], marks: "_Marks", named: Container[object]
) -> Iterator[Shape]:
    """Yield the letters of lines that bend, each off the names of ends, other letters and other lines."""
    letters, pitch = letters_of([name for name, _ in lines]), _pitch(board)
    ways = [tuple((x / pitch, y / pitch) for x, y in spot.points) for _, spot in lines] if letters else []
    boxes = [marks.box(text) for text in _texts(board) if text.words in named]
    texts = [(left / pitch, top / pitch, right / pitch, low / pitch) for left, top, right, low in boxes]
    found: list[Point] = []
    for number, ((name, _), way) in enumerate(zip(lines, ways, strict=bool(letters))):
        others = [*ways[:number], *ways[number + 1 :]]
        at = free_point(near_end(way), _LETTER / marks.unit / pitch, found, others, texts)
        found.append(at)
        yield from marks.letter(letters[name], (at[0] * pitch, at[1] * pitch))


def _enlarged(board: Board, candidates: Candidates, enlarged: Outline) -> Scene:
    """Return the board if it has room for the names, else a part of it and its surroundings, drawn larger."""
    pitch = _pitch(board)
    unit = (WIDTH - 2 * _MARGIN) / max(board.width, board.height)
    if unit * pitch >= _ROOM:
        unit = min(unit, _PITCH / pitch)
        x, y = -float(_MARGIN), -float(_MARGIN)
        width, height = unit * board.width + 2 * _MARGIN, unit * board.height + 2 * _MARGIN
    else:
        unit, x, y, width, height = _section(board, enlarged)
    size = min(_LARGEST_NAME, max(_NAME, 0.33 * unit * pitch))
    marks = _Marks(unit, board, size)
    over = [it for part in (enlarged, *candidates.parts) for it in marks.outline(part)]
    spots = [(name, spot) for name in candidates.names if (spot := board.spot(name))]
    for name, spot in spots:
        over += marks.cell(name, spot)
    page = Scene(round(width), round(height), ())
    plates = [_plate_box(name, size, _onto(spot.middle, unit, (x, y))) for name, spot in spots]
    bare = Scene(0, 0, tuple(shape for shape in (*board.ground, *board.shapes) if not _is_choice(shape)))
    unwanted = {
        (text.at, text.words)
        for text in bare.texts()
        if text.size * unit > _HUGE or not _legible(_box(text, unit, (x, y)), plates, page)
    }
    shapes = _without_texts(bare.shapes, unwanted)
    return replace(page, shapes=(Group("board", (*shapes, *over), (-x, -y), unit),))


def _section(board: Board, enlarged: Outline) -> tuple[float, float, float, float, float]:
    """Return the page units in a unit of the board, and left, top, width and height of the section that is shown.

    The section holds a part of the board and its surroundings.
    """
    (left, bottom), (right, top) = _middle(board, enlarged.first), _middle(board, enlarged.last)
    pitch = _pitch(board)
    wide, high = right - left + 2 * _AROUND * pitch, bottom - top + 2 * _AROUND * pitch
    unit = min(WIDTH / wide, WIDTH / high, _PITCH / pitch)
    # The page ends where the board does, or beyond the outline of the part.
    reach = unit * pitch / 2 + _EDGE
    edges = (
        min(0.0, unit * left - reach),
        min(0.0, unit * top - reach),
        max(unit * board.width, unit * right + reach),
        max(unit * board.height, unit * bottom + reach),
    )
    width = min(float(WIDTH), edges[2] - edges[0])
    height = min(unit * (high + pitch), edges[3] - edges[1], WIDTH)
    x = _kept(unit * (left + right) / 2 - width / 2, edges[0], edges[2] - width)
    y = _kept(unit * (top + bottom) / 2 - height / 2, edges[1], edges[3] - height)
    # Rows of the board are shown whole.
    row, half = unit * pitch, unit * pitch / 2 + _EDGE
    if y > edges[1]:
        y = unit * top - half - row * ((unit * top - half - y) // row)
    low = unit * bottom + half
    end = y + height if y + height < edges[3] else edges[3]
    if end < edges[3]:
        end = low + row * ((end - low) // row)
    return unit, x, y, width, end - y


def _onto(at: Point, unit: float, corner: Point) -> Point:
    """Return the point of the page for a point of the board."""
    return at[0] * unit - corner[0], at[1] * unit - corner[1]


def _box(text: Text, unit: float, corner: Point) -> fonts.Box:
    left, top, right, bottom = fonts.box(text._replace(at=(0, 0), size=text.size * unit))
    x, y = _onto(text.at, unit, corner)
    return x + left, y + top, x + right, y + bottom


def _plate_box(name: str, size: float, at: Point) -> fonts.Box:
    wide, high = _plate_size(name, size)
    return at[0] - wide, at[1] - high, at[0] + wide, at[1] + high


def _plate_size(name: str, size: float) -> Point:
    """Half the width and height of the plate of a name, in page units."""
    return fonts.width(name, Face.READ, size) / 2 + 7, 0.6 * size


def _legible(box: fonts.Box, plates: Iterable[fonts.Box], page: Scene) -> bool:
    """Return True if a text with this box lies on the page and under none of the plates."""
    left, top, right, bottom = box
    if left < 0 or top < 0 or right > page.width or bottom > page.height:
        return False
    return not any(left < it[2] and it[0] < right and top < it[3] and it[1] < bottom for it in plates)


def _kept(value: float, least: float, most: float) -> float:
    return min(max(value, least), max(most, least))


def _middle(board: Board, cell: Cell) -> Point:
    spot = board.spot(str(cell))
    if spot is None:
        raise LookupError(f"{cell} has no spot on this board.")
    return spot.middle


def _pitch(board: Board) -> float:
    """Return the distance of neighbouring cells, in units of the board."""
    near = board.spot("b1") or board.spot("a2")
    return dist(_middle(board, Cell(0, 0)), near.middle) if near else board.width


@dataclass(frozen=True, slots=True)
class _Marks:
    """The marks of candidates on a board whose unit is `unit` page units."""

    unit: float
    board: Board
    name: float = _NAME

    def line(self, name: str, spot: Spot) -> Iterator[Shape]:
        strokes = (
            Stroke(spot.points, width / self.unit, ink, wobble=0)
            for width, ink in ((9, Role.PAGE), (6, Role.INK), (3, Role.ACCENT))
        )
        yield Group(f"candidate {name}", tuple(strokes))

    def letter(self, letter: str, at: Point) -> Iterator[Shape]:
        yield Disc(at, _LETTER / self.unit, Role.ACCENT)
        yield Disc(at, (_LETTER - 3) / self.unit, Role.PAGE)
        yield Text(at, letter, 36 / self.unit)

    def box(self, text: Text) -> fonts.Box:
        """Return left, top, right and bottom of a text, in units of the board."""
        left, top, right, bottom = (edge / self.unit for edge in _box(text, self.unit, (0, 0)))
        return left, top, right, bottom

    def ground(self, text: Text) -> Area:
        return Area(rectangle(*self.box(text)), Role.PAGE)

    def ring(self, name: str, spot: Spot) -> Iterator[Group]:
        radius = max(1.05 * spot.reach, 16 / self.unit)
        rings = (
            Ring((0, 0), radius, width / self.unit, ink) for width, ink in ((9, Role.INK), (6, Role.ACCENT))
        )
        yield Group(f"candidate {name}", tuple(rings), spot.middle)

    def chosen(self, name: str, spot: Spot) -> Iterator[Shape]:
        """Yield a disc, a ring if the name of the place is written on it, or the name if it is written nowhere."""
        inks = (15, Role.INK), (12, Role.ACCENT)
        discs: tuple[Shape, ...] = tuple(Disc((0, 0), radius / self.unit, ink) for radius, ink in inks)
        rings = tuple(shape for group in self.ring(name, spot) for shape in group.shapes)
        ground = Disc((0, 0), max(spot.reach, 16 / self.unit), Role.PAGE)
        if self._has_name_on(name, spot):
            discs = (ground, *rings)
        elif not self._has_name(name):
            discs = (*discs, *self._plate(name, (0, 0)))
        yield Group(f"chosen {name}", discs, spot.middle)

    def end(self, name: str) -> Iterator[Shape]:
        """Yield the name of a place where a line ends, unless the board has it beside the place."""
        spot = self.board.spot(name)
        if spot is None:
            return
        if self._has_name_on(name, spot):
            yield Disc(spot.middle, max(spot.reach, 16 / self.unit), Role.PAGE)
            yield Ring(spot.middle, max(spot.reach, 16 / self.unit), 5 / self.unit, Role.ACCENT)
            return
        yield Disc(spot.middle, 9 / self.unit, Role.INK)
        yield Disc(spot.middle, 6 / self.unit, Role.ACCENT)
        if not self._has_name(name):
            yield from self._plate(name, spot.middle)

    def cell(self, name: str, spot: Spot) -> Iterator[Shape]:
        yield Group(f"candidate {name}", tuple(self._plate(name, (0, 0))), spot.middle)

    def outline(self, part: Outline) -> Iterator[Shape]:
        for width, ink in ((8, Role.INK), (5, Role.ACCENT)):
            yield Stroke(self._corners(part), width / self.unit, ink, wobble=0, closed=True)

    def part_name(self, part: Outline) -> Iterator[Shape]:
        """Yield the name of a part, in its middle."""
        (left, bottom), (right, top) = (_middle(self.board, cell) for cell in (part.first, part.last))
        yield Text(((left + right) / 2, (top + bottom) / 2), str(part), self.name / self.unit)

    def faint_outline(self, part: Outline) -> Group:
        spot = self.board.spot(str(part.first))
        reach = 1.3 * spot.reach if spot else inf
        line = Stroke(
            self._corners(part, reach), _FAINT_LINE / self.unit, _FAINT_INK, wobble=0.5, closed=True
        )
        return Group(f"part {part.first} {part.last}", (line,))

    def _corners(self, part: Outline, most: float = inf) -> tuple[Point, ...]:
        """Return the corners of a rectangle around a part, at most this far from its outermost middles."""
        half = min(most, _pitch(self.board) / 2 - 4 / self.unit)
        (left, bottom), (right, top) = _middle(self.board, part.first), _middle(self.board, part.last)
        return rectangle(left - half, top - half, right + half, bottom + half)

    def _plate(self, name: str, at: Point) -> Iterator[Shape]:
        (x, y), (wide, high) = at, (half / self.unit for half in _plate_size(name, self.name))
        corners = rectangle(x - wide, y - high, x + wide, y + high)
        yield Area(corners, Role.PAGE)
        yield Stroke(corners, 3 / self.unit, Role.ACCENT, wobble=0, closed=True)
        yield Text(at, name, self.name / self.unit)

    def _has_name(self, name: str) -> bool:
        return any(text.words == name for text in _texts(self.board))

    def _has_name_on(self, name: str, spot: Spot) -> bool:
        near = (text for text in _texts(self.board) if dist(text.at, spot.middle) * self.unit < _NAME / 2)
        return any(text.words == name for text in near)


def _texts(board: Board) -> Iterator[Text]:
    """Return the texts of a board, in its units."""
    return Scene(0, 0, board.shapes, board.ground).texts()


def _ends(line: str) -> tuple[str, str]:
    start, *_, end = line.split("-")
    return start, end


def _is_choice(shape: Shape) -> bool:
    return isinstance(shape, Group) and shape.name.startswith("choice ")


def _is_empty(board: Board) -> bool:
    """Return True if nothing is on a board but moves that are offered, so that names of parts cover nothing."""
    return all(_is_choice(shape) for shape in board.shapes if isinstance(shape, Group))


def _dimmed(shape: Shape, named: Container[object]) -> Shape:
    """Return the shape in faint colours, but for texts that are one of these names."""
    if isinstance(shape, Group):
        return shape._replace(shapes=tuple(_dimmed(inner, named) for inner in shape.shapes))
    if isinstance(shape, Text) and shape.words in named:
        return shape._replace(ink=Role.INK)
    return shape._replace(ink=_faint(shape.ink))


def _faint(ink: Ink) -> Ink:
    if ink is Role.PAGE:
        return ink
    return Mix(ink.role, ink.share * _FAINT) if isinstance(ink, Mix) else Mix(ink, _FAINT)


def _without_texts(
    shapes: Iterable[Shape], unwanted: Container[tuple[Point, str]], at: Point = (0, 0), scale: float = 1
) -> tuple[Shape, ...]:
    """Return the shapes without the texts at these points, which are in units of the outermost shapes."""
    kept: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            inner = at[0] + shape.at[0] * scale, at[1] + shape.at[1] * scale
            kept.append(
                shape._replace(shapes=_without_texts(shape.shapes, unwanted, inner, scale * shape.scale))
            )
        elif (
            not isinstance(shape, Text)
            or ((at[0] + shape.at[0] * scale, at[1] + shape.at[1] * scale), shape.words) not in unwanted
        ):
            kept.append(shape)
    return tuple(kept)
