"""The Amazon Skull Game: a patch of sand, scratched with a stick."""

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from random import Random
from types import MappingProxyType

from render.board.game_board import Board, draw_board, spot_by_cells
from render.board.line_signs import LINE_SIGNS, side_towards
from render.board.phrases import counted
from render.board.seats import Item, marking, space, text_item, who
from render.board.squares import Lattice
from render.board.text import Description, board_size, describe, lettered
from render.engine.icons import Icon, pencil, ruled
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
from rules.core.lattice import neighbours
from rules.core.match import Observation
from rules.core.notation import Cell, joined
from rules.games.skull import SkullView

_EDGE = 0.25
"""The width of the sand around the cells."""
_LABELS = 0.55
"""The room for letters and numbers outside the sand."""
_MARGIN = _EDGE + _LABELS
_LABEL = 0.044
"""The size of letters and numbers on a large board, as a share of the width of the board."""


@draw_board.register
def picture(view: SkullView, seen: Observation) -> Board:
    lattice = Lattice(view.width, view.height, _MARGIN, _EDGE)
    shapes: list[Shape] = [*_trail(view, lattice)]
    forbidden = _forbidden(view)
    shapes += [_barred(cell, lattice.middle(cell)) for cell in forbidden]
    for cell in view.path:
        shapes += _laid(view, seen, cell, lattice.middle(cell))
    if seen.winners is None:
        shapes += [_choice(cell, lattice.middle(cell)) for cell in view.choices]
    size = view.width + 2 * _MARGIN, view.height + _EDGE + _MARGIN
    spot = spot_by_cells(view.width, view.height, lattice.middle, 0.37)
    labels = lattice.labels(_EDGE + 0.3, max(0.3, _LABEL * size[0]))
    ground: tuple[Shape, ...] = (*_sand(lattice), *labels)
    ringed = any(_is_previous(cell, seen) for cell in view.path)
    return Board(
        *size,
        150,
        tuple(shapes),
        note=_note(view, seen),
        trophy=_trophy(seen),
        legend=_meaning(ringed=ringed, barred=bool(forbidden), over=seen.winners is not None),
        legend_below=True,
        spot=spot,
        ground=ground,
    )


@lru_cache(maxsize=64)
def _sand(lattice: Lattice) -> tuple[Group, ...]:
    """Return the shapes under everything else, in groups that are looked up as a whole."""
    left, top = lattice.left - _EDGE, lattice.top - _EDGE
    right, bottom = left + lattice.width + 2 * _EDGE, top + lattice.height + 2 * _EDGE
    chance = Random(f"{lattice.width} by {lattice.height}")  # noqa: S311 - for drawing, not for secrets
    grains: dict[tuple[Ink, float], list[Point]] = {}
    for _ in range(14 * lattice.width * lattice.height):
        at = chance.uniform(left + 0.1, right - 0.1), chance.uniform(top + 0.1, bottom - 0.1)
        radius = round(chance.uniform(0.008, 0.016), 3)
        grains.setdefault((chance.choice(_GRAINS), radius), []).append(at)
    patch = Area(_rounded(left, top, right, bottom, 0.3), Role.PATCH, wobble=2.5)
    # Each furrow has a dark side and a bright one.
    furrows = ((Role.RIDGE, 0.025), (Role.GROOVE, 0.0))
    return (
        Group("", (patch, *(Dots((*points,), radius, ink) for (ink, radius), points in grains.items()))),
        *(Group("", tuple(_furrows(lattice, ink)), (off, off)) for ink, off in furrows),
    )


_GRAINS = (Mix(Role.GROOVE, 0.6, Role.PATCH), Mix(Role.GROOVE, 0.35, Role.PATCH), Role.RIDGE)


def _furrows(lattice: Lattice, ink: Ink) -> Iterator[Stroke]:
    left, top, right, bottom = (
        lattice.left,
        lattice.top,
        lattice.left + lattice.width,
        lattice.top + lattice.height,
    )
    for column in range(lattice.width + 1):
        yield Stroke(((left + column, top), (left + column, bottom)), 0.025, ink, wobble=1.4)
    for row in range(lattice.height + 1):
        yield Stroke(((left, top + row), (right, top + row)), 0.025, ink, wobble=1.4)


def _rounded(left: float, top: float, right: float, bottom: float, radius: float) -> tuple[Point, ...]:
    points = []
    middles = ((right, bottom, 0), (left, bottom, 1), (left, top, 2), (right, top, 3))
    for x, y, quarter in middles:
        x += radius if x == left else -radius
        y += radius if y == top else -radius
        for step in range(7):
            angle = (quarter + step / 6) * math.pi / 2
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return tuple(points)


def _trail(view: SkullView, lattice: Lattice) -> list[Shape]:
    """Return the path: a long bone from skull to skull."""
    points = tuple(lattice.middle(cell) for cell in view.path)
    if len(points) < 2:
        return []
    # A group for each step: what is drawn of the others is kept when the path grows.
    bones = tuple(
        Group("", (Stroke(step, width, ink, wobble=0.5),))
        for width, ink in ((0.19, Role.DEEP), (0.12, Role.PALE))
        for step in map(tuple, map(sorted, pairwise(points)))
    )
    return [Group("trail", bones)]


def _laid(view: SkullView, seen: Observation, cell: Cell, at: Point) -> list[Shape]:
    shapes: list[Shape] = []
    if cell in view.ends:
        glow = tuple(
            Disc((0, 0), 0.48 - 0.035 * step, Mix(Role.ACCENT, 0.3 + 0.17 * step, Role.PATCH))
            for step in range(4)
        )
        shapes.append(Group(f"end {cell}", glow, at))
    if cell == view.last:
        shapes.append(Group("last", (Ring((0, 0), 0.46, 0.04, Role.INK, wobble=0.6),), at))
    elif _is_previous(cell, seen):
        shapes.append(Group("previous", (Ring((0, 0), 0.46, 0.035, Role.INK, dashes=12),), at))
    return [*shapes, Group(f"skull {cell}", _skull(Role.PALE), at, 0.37)]


def _is_previous(cell: Cell, seen: Observation) -> bool:
    """Return True for the cell of the move before the last one, while the game goes on."""
    return seen.winners is None and seen.previous is not None and seen.previous.text == str(cell)


def _meaning(*, ringed: bool, barred: bool, over: bool) -> tuple[Item, ...]:
    """Return the meaning of the rings around skulls and of the crosses, as far as they are drawn."""
    line: list[Item] = []
    if ringed:
        last, before = Ring((18, 0), 17, 3, Role.INK), Ring((18, 0), 17, 2.5, Role.INK, dashes=11)
        for words, sample in (("last move", last), ("before it", before)):
            line += [Item(36, (sample,)), space(10), text_item(words, 34, Role.MUTED), space(26)]
    if barred:
        cross = Group("", _cross(0.5), (14, 0), 28)
        size = 38 if over else 34
        line += [Item(28, (cross,)), space(12), text_item("touches the path twice", size, Role.MUTED)]
    return tuple(line)


def _skull(bone: Ink) -> tuple[Shape, ...]:
    """Return a skull that reaches from -1 to 1, its outline included."""
    return (
        Disc((0, -0.2), 0.8, Role.DEEP),
        Area(_jaw(0.07), Role.DEEP),
        Disc((0, -0.2), 0.72, bone),
        Area(_jaw(0.0), bone),
        Disc((-0.31, -0.04), 0.21, Role.DEEP),
        Disc((0.31, -0.04), 0.21, Role.DEEP),
        Area(((0, 0.17), (0.1, 0.36), (-0.1, 0.36)), Role.DEEP),
        *(Stroke(((x, 0.58), (x, 0.82)), 0.06, Role.DEEP, wobble=0) for x in (-0.2, 0, 0.2)),
    )


def _jaw(more: float) -> tuple[Point, ...]:
    half = ((0.52, 0.25), (0.47, 0.62), (0.4, 0.82), (0.3, 0.88))
    right = [(x + more, y + more) for x, y in half]
    return (*right, *((-x, y) for x, y in reversed(right)))


def _trophy(seen: Observation) -> Group | None:
    """Return the head of the loser, with the mark of the seat on its brow."""
    if seen.winners is None or len(seen.winners) != 1:
        return None
    loser = 1 - seen.winners[0]
    return Group(f"head {loser}", (*_skull(SEATS[loser]), marking(loser, (0, -0.58), 0.46)))


def _forbidden(view: SkullView) -> list[Cell]:
    """Return the empty cells beside an end of the path that would make the path touch itself."""
    taken, beside = {*view.path, *view.choices}, neighbours(view.width, view.height)
    return list(dict.fromkeys(cell for end in view.ends for cell in beside[end] if cell not in taken))


def _barred(cell: Cell, at: Point) -> Group:
    return Group(f"barred {cell}", _cross(0.15), at)


def _cross(reach: float) -> tuple[Stroke, ...]:
    """Return a cross that reaches so far from its middle to the right and down."""
    lines = ((-reach, -reach), (reach, reach)), ((-reach, reach), (reach, -reach))
    return tuple(Stroke(line, 0.4 * reach, Role.FORBIDDEN, wobble=0.6) for line in lines)


def _choice(cell: Cell, at: Point) -> Group:
    dots = Ring((0, 0), 0.37, 0.04, Mix(Role.MUTED, 0.85, Role.PATCH), dashes=18)
    return Group(f"choice {cell}", (dots, Text((0, 0), str(cell), 0.35)), at)


@describe.register
def words(view: SkullView, seen: Observation) -> Description:
    return Description(
        lambda: _position(view, seen), lambda: _rows(view, seen), _SIGNS, _move(view), _ending(view, seen)
    )


_SIGNS = {"@": "last skull", "O": "other end", "─│": "path", "+": "playable", ".": "empty"}


def _position(view: SkullView, seen: Observation) -> tuple[str, ...]:
    size = board_size(view.width, view.height)
    if not view.path:
        return (
            size,
            "It is empty." if seen.winners is not None else "It is empty: any cell may be played.",
        )
    path = f"The path of {counted(len(view.path), 'skull')} runs {_route(view.path)}."
    if len(view.path) == 1:
        path = f"One skull lies on {view.path[0]}."
    if seen.winners is not None:
        return path, size
    return f"Playable: {', '.join(map(str, view.choices))}.", path, size


def _route(path: tuple[Cell, ...]) -> str:
    """Return the path as text: its ends and corners."""
    corners = [
        cell
        for before, cell, after in zip(path, path[1:], path[2:], strict=False)
        if before.column != after.column and before.row != after.row
    ]
    return " to ".join(map(str, (path[0], *corners, path[-1])))


def _move(view: SkullView) -> str:
    if len(view.path) < 2:
        return f"{view.last}, the first skull" if view.last else ""
    touched = view.path[1] if view.last == view.path[0] else view.path[-2]
    return f"{view.last}, lengthening the path at {touched}"


def _note(view: SkullView, seen: Observation) -> str:
    """Return why a finished game is over, for the picture."""
    return _reason(view, seen, "cannot move without touching the path twice")


def _ending(view: SkullView, seen: Observation) -> str:
    """Return why a finished game is over, for texts, which name the cells that the picture crosses out."""
    cells = joined([str(cell) for cell in _forbidden(view)], "or")
    return _reason(view, seen, f"cannot move: a skull on {cells} would touch the path twice")


def _reason(view: SkullView, seen: Observation, stuck: str) -> str:
    """Return why a finished game is over; `stuck` is said of the loser if there are forbidden cells."""
    if view.choices or not seen.winners:
        return ""
    return f"{who(1 - seen.winners[0])} {stuck if _forbidden(view) else 'cannot lengthen the path'}"


def _rows(view: SkullView, seen: Observation) -> tuple[str, ...]:
    """Return a line for each row of cells, two columns a cell; the path is drawn through its cells."""
    open_cells = frozenset(view.choices) if seen.winners is None else frozenset()
    links = {frozenset(pair) for pair in zip(view.path, view.path[1:], strict=False)}

    def sign(cell: Cell) -> str:
        link = "─" if frozenset((cell, Cell(cell.column + 1, cell.row))) in links else ""
        return _sign(view, cell, open_cells) + link

    return lettered(view.width, view.height, sign)


def _sign(view: SkullView, cell: Cell, open_cells: frozenset[Cell]) -> str:
    if cell == view.last:
        return "@"
    if cell in view.ends:
        return "O"
    if cell in view.path:
        at = view.path.index(cell)
        return LINE_SIGNS[frozenset(side_towards(cell, view.path[near]) for near in (at - 1, at + 1))]
    return "+" if cell in open_cells else "."


def _mark() -> Icon:
    eyes = (Disc((side * 0.29, -0.1), 0.21, Role.DEEP) for side in (-1, 1))
    nose = Area(((0, 0.12), (0.12, 0.36), (-0.12, 0.36)), Role.DEEP)
    teeth = (ruled((x, 0.56), (x, 0.8), ink=Role.DEEP, width=0.07) for x in (-0.16, 0.16))
    return *_bone(0.09, Role.DEEP), *_bone(0, Role.PALE), *eyes, nose, *teeth


def _bone(more: float, ink: Ink) -> Icon:
    """Return a head and its jaw, `more` larger on every side."""
    jaw = rectangle(-0.4 - more, 0.2, 0.4 + more, 0.8 + more)
    return Disc((0, -0.2), 0.68 + more, ink), Area(jaw, ink)


def _small_skull(at: Point, size: float) -> Icon:
    x, y = at
    jaw = ((-0.5, 0.2), (0.5, 0.2), (0.42, 0.95), (-0.42, 0.95))
    eyes = [Disc((x + side * 0.36 * size, y + 0.02 * size), 0.24 * size, Role.PAGE) for side in (-1, 1)]
    return (
        Disc((x, y - 0.08 * size), 0.82 * size, Role.INK),
        Area(tuple((x + a * size, y + b * size) for a, b in jaw), Role.INK),
        *eyes,
        pencil((x, y + 0.55 * size), (x, y + 0.9 * size), ink=Role.PAGE, width=0.1 * size),
    )


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        "skull.yorick": _small_skull((0, -0.04), 0.66),
        # A skull in every corner of the board.
        "skull.corners": (
            Stroke(
                ((-0.56, -0.56), (0.56, -0.56), (0.56, 0.56), (-0.56, 0.56)),
                0.06,
                Role.MUTED,
                0.4,
                closed=True,
            ),
            *(shape for x in (-0.44, 0.44) for y in (-0.46, 0.4) for shape in _small_skull((x, y), 0.24)),
        ),
    }
)
"""The icons of the achievements, by their keys."""
