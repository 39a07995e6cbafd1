"""The pieces of a scene: what is drawn where, cut into the rows of tiles that it reaches into."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from render.engine import fonts
from render.engine.brush import coats
from render.engine.cache import Cache
from render.engine.grid import Grid, Part
from render.engine.scene import Group, Point, Scene, Shape, Text


@dataclass(frozen=True, slots=True)
class Piece:
    """A shape, or a group without groups in it, at its place on the page.

    `rows` are those that it reaches into, each with the columns of the tiles there, as bits. Two pieces have the same
    number only if they look the same.
    """

    number: int
    rows: tuple[tuple[int, int], ...]
    grid: Grid
    shape: Shape
    origin: Point
    scale: float

    def cut(self) -> "Cut":
        """Return what there is to draw."""
        return _cuts.get(self.number) or _keep(
            self.number, _cut(self.shape, self.origin, self.scale, self.grid)
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """The coats and the texts of a piece by row; texts stand with the columns that they reach into, as bits."""

    parts: dict[int, list[Part]]
    texts: dict[int, list[tuple[Text, int]]]

    def rows(self) -> Iterator[tuple[int, int]]:
        """Yield the rows, with the columns that the piece reaches into there, as bits."""
        for row in sorted(self.parts.keys() | self.texts.keys()):
            columns = 0
            for part in self.parts.get(row, ()):
                columns |= part.columns
            for _, reached in self.texts.get(row, ()):
                columns |= reached
            yield row, columns


_RIM = 6
"""Pixels of a sheet: words may reach so far beyond what is measured of them."""

_numbers = count()
_pieces: Cache[tuple[object, ...], Piece] = Cache(4 << 20)
_cuts: Cache[int, Cut] = Cache(5 << 20)
_ENTRY, _SHAPE, _PART = 500, 220, 260
"""About the bytes that keeping a piece or a cut takes, and those of each shape of a piece and each part of a cut."""


def pieces(scene: Scene, grid: Grid) -> list[Piece]:
    """Return the pieces of a scene, in drawing order."""
    found: list[Piece] = []
    _collect(scene.shapes, (0.0, 0.0), 1.0, grid, found)
    return found


def forget_pieces() -> None:
    """Keep nothing of what was drawn."""
    _pieces.forget()
    _cuts.forget()


def _collect(shapes: tuple[Shape, ...], origin: Point, scale: float, grid: Grid, found: list[Piece]) -> None:
    for shape in shapes:
        if isinstance(shape, Group) and Group in map(type, shape.shapes):
            inner = origin[0] + shape.at[0] * scale, origin[1] + shape.at[1] * scale
            _collect(shape.shapes, inner, scale * shape.scale, grid, found)
            continue
        key = shape, origin, scale, grid.side, grid.pixels, grid.columns, grid.fine
        piece = _pieces.get(key)
        if piece is None:
            shapes_in_it = len(shape.shapes) if isinstance(shape, Group) else 1
            made = _piece(shape, origin, scale, grid)
            piece = _pieces.put(key, made, _ENTRY + _SHAPE * shapes_in_it)
        found.append(piece)


def _piece(shape: Shape, origin: Point, scale: float, grid: Grid) -> Piece:
    cut = _cut(shape, origin, scale, grid)
    number = next(_numbers)
    _keep(number, cut)
    return Piece(number, tuple(cut.rows()), grid, shape, origin, scale)


def _keep(number: int, cut: Cut) -> Cut:
    """Keep what there is to draw of the piece with this number; return what is kept."""
    return _cuts.put(number, cut, _ENTRY + _PART * (sum(map(len, cut.parts.values())) + len(cut.texts)))


def _cut(shape: Shape, origin: Point, scale: float, grid: Grid) -> Cut:
    leaves = list(_leaves(shape, origin, scale))
    texts: dict[int, list[tuple[Text, int]]] = {}
    for leaf, at, unit in leaves:
        if isinstance(leaf, Text):
            text = leaf.placed(at, unit)
            left, top, right, bottom = (int(reach * grid.fine) for reach in fonts.box(text))
            for row, columns in grid.reached((left - _RIM, top - _RIM, right + _RIM, bottom + _RIM)):
                texts.setdefault(row, []).append((text, columns))
    return Cut(grid.cut(coat for leaf in leaves for coat in coats(*leaf, grid.fine)), texts)


def _leaves(shape: Shape, origin: Point, scale: float) -> Iterator[tuple[Shape, Point, float]]:
    if not isinstance(shape, Group):
        yield shape, origin, scale
        return
    inner = origin[0] + shape.at[0] * scale, origin[1] + shape.at[1] * scale
    for leaf in shape.shapes:
        yield leaf, inner, scale * shape.scale
