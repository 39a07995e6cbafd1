"""The Amazon Skull Game: a patch of sand, scratched with a stick."""

from render.board import Board, board
from render.lattice import Lattice
from render.scene import Area, Disc, Group, Ink, Mix, Point, Ring, Role, Shape, Stroke, Text
from render.text import Twin, twin
from render.words import counted
from rules.core.match import Observation
from rules.core.notation import Cell, letter
from rules.games.skull import SkullView

_EDGE = 0.75
"""Units of sand and labels around the cells."""


@board.register
def picture(view: SkullView, seen: Observation) -> Board:
    lattice = Lattice(view.width, view.height, _EDGE, 0.3)
    shapes: list[Shape] = [*_sand(lattice), *lattice.labels(0.52, 0.3)]
    shapes += _trail(view, lattice)
    for cell in view.path:
        shapes += _skull(view, cell, lattice.middle(cell))
    if seen.winners is None:
        shapes += [_choice(cell, lattice.middle(cell)) for cell in view.choices]
    return Board(view.width + 2 * _EDGE, view.height + 1.05, 150, tuple(shapes))


def _sand(lattice: Lattice) -> list[Shape]:
    left, top = lattice.left - 0.22, lattice.top - 0.22
    right, bottom = left + lattice.width + 0.44, top + lattice.height + 0.44
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    shapes: list[Shape] = [Area(corners, Role.PATCH, hand=2)]
    for column in range(lattice.width + 1):
        x = lattice.left + column
        shapes.append(Stroke(((x, lattice.top), (x, lattice.top + lattice.height)), 0.035, Role.GROOVE))
    for row in range(lattice.height + 1):
        y = lattice.top + row
        shapes.append(Stroke(((lattice.left, y), (lattice.left + lattice.width, y)), 0.035, Role.GROOVE))
    return shapes


def _trail(view: SkullView, lattice: Lattice) -> list[Shape]:
    if len(view.path) < 2:
        return []
    points = tuple(lattice.middle(cell) for cell in view.path)
    return [Group("trail", (Stroke(points, 0.16, Role.GROOVE),))]


def _skull(view: SkullView, cell: Cell, at: Point) -> list[Shape]:
    shapes: list[Shape] = []
    if cell in view.ends:
        glow = tuple(
            Disc((0, 0), 0.47 - 0.04 * ring, Mix(Role.ACCENT, 0.25 * (ring + 1), Role.PATCH))
            for ring in range(4)
        )
        shapes.append(Group(f"end {cell}", glow, at))
    if cell == view.last:
        shapes.append(Group("last", (Ring((0, 0), 0.46, 0.04, Role.INK, hand=0.5),), at))
    return [*shapes, Group(f"skull {cell}", skull_shapes(Role.PALE), at, 0.36)]


def skull_shapes(bone: Ink) -> tuple[Shape, ...]:
    return (Disc((0, -0.15), 0.8, Role.DEEP), Disc((0, -0.15), 0.72, bone))


def _choice(cell: Cell, at: Point) -> Group:
    dots = Ring((0, 0), 0.36, 0.04, Role.MUTED, dashes=14)
    return Group(f"choice {cell}", (dots, Text((0, 0), str(cell), 0.36)), at)


@twin.register
def words(view: SkullView, seen: Observation) -> Twin:
    return Twin(_position(view, seen), _rows(view, seen), _LEGEND, _move(view), _note(view))


_LEGEND = "@ last skull  O other end  + playable\n- | path of skulls"


def _position(view: SkullView, seen: Observation) -> tuple[str, ...]:
    board_size = f"A board of {counted(view.width, 'column')} and {counted(view.height, 'row')}."
    if not view.path:
        return (board_size, "It is empty: any cell may be played.")
    path = f"The path of {counted(len(view.path), 'skull')} runs {_route(view.path)}."
    if len(view.path) == 1:
        path = f"One skull lies on {view.path[0]}."
    if seen.winners is not None:
        return path, board_size
    return f"Playable: {', '.join(map(str, view.choices))}.", path, board_size


def _route(path: tuple[Cell, ...]) -> str:
    """The path by its ends and corners, between which it runs straight."""
    corners = [
        cell
        for before, cell, after in zip(path, path[1:], path[2:], strict=False)
        if before.column != after.column and before.row != after.row
    ]
    return " to ".join(map(str, (path[0], *corners, path[-1])))


def _move(view: SkullView) -> str:
    if len(view.path) == 1:
        return f"{view.last}, the first skull"
    touched = view.path[1] if view.last == view.path[0] else view.path[-2]
    return f"{view.last}, lengthening the path at {touched}"


def _note(view: SkullView) -> str:
    return "" if view.choices else "no cell lengthens the path"


def _rows(view: SkullView, seen: Observation) -> tuple[str, ...]:
    """A line for each row of cells, two columns a cell; the path is drawn through the cells it takes."""
    open_cells = frozenset(view.choices) if seen.winners is None else frozenset()
    links = {frozenset(pair) for pair in zip(view.path, view.path[1:], strict=False)}
    lines = []
    for row in range(view.height - 1, -1, -1):
        line = f"{row + 1:2} "
        for column in range(view.width):
            cell = Cell(column, row)
            line += _sign(view, cell, open_cells)
            line += "─" if frozenset((cell, Cell(column + 1, row))) in links else " "
        lines.append(line)
    return (*lines, "   " + " ".join(letter(column) for column in range(view.width)))


def _sign(view: SkullView, cell: Cell, open_cells: frozenset[Cell]) -> str:
    if cell == view.last:
        return "@"
    if cell in view.ends:
        return "O"
    if cell in view.path:
        place = view.path.index(cell)
        return _BENDS[frozenset(_side(cell, other) for other in (view.path[place - 1], view.path[place + 1]))]
    return "+" if cell in open_cells else "."


def _side(cell: Cell, other: Cell) -> tuple[int, int]:
    return other.column - cell.column, other.row - cell.row


_UP, _RIGHT, _DOWN, _LEFT = (0, 1), (1, 0), (0, -1), (-1, 0)
_BENDS = {
    frozenset((_LEFT, _RIGHT)): "─",
    frozenset((_UP, _DOWN)): "│",
    frozenset((_DOWN, _RIGHT)): "┌",
    frozenset((_DOWN, _LEFT)): "┐",
    frozenset((_UP, _RIGHT)): "└",
    frozenset((_UP, _LEFT)): "┘",
}
