"""The pieces of a scene: what is drawn where, cut into the rows of tiles that it reaches into, and drawn there."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from threading import Lock
from typing import Generic, TypeVar

from PIL import Image, ImageDraw

from render.engine import fonts
from render.engine.brush import layers
from render.engine.fonts import write
from render.engine.grid import Grid, Part, column_runs
from render.engine.png import Pixels
from render.engine.raster import in_palette
from render.engine.scene import Group, Ink, Point, Role, Scene, Shape, Text
from render.engine.theme import THEMES, Rgb

Key = TypeVar("Key")
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """Keeps the values that were used last, by their keys, up to twice the weight `half`. Threads may share it.

    The values are in two halves: one takes what is new or used again, and when it is full, the other is forgotten.
    """

    def __init__(self, half: int) -> None:
        self._half = half
        self._weight = 0
        self._young: dict[Key, tuple[Value, int]] = {}
        self._old: dict[Key, tuple[Value, int]] = {}
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return None
            self.put(key, *found)
        return found[0]

    def put(self, key: Key, value: Value, weight: int = 1) -> Value:
        """Keep a value, and return the one that is kept: another thread's, if it was quicker."""
        with self._lock:
            kept = self._young.get(key)
            if kept is not None:
                return kept[0]
            self._young[key] = value, weight
            self._weight += weight
            if self._weight > self._half:
                self._old, self._young, self._weight = self._young, {}, 0
        return value

    def replace(self, key: Key, value: Value, weight: int = 1) -> None:
        """Keep a value in the place of the one that is kept."""
        with self._lock:
            _, before = self._young.pop(key, (None, 0))
            self._weight -= before
        self.put(key, value, weight)

    def forget(self) -> None:
        """Forget everything."""
        with self._lock:
            self._old, self._young, self._weight = {}, {}, 0


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
    """The layers and the texts of a piece by row; texts stand with the columns that they reach into, as bits."""

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
    return Cut(grid.cut(layer for leaf in leaves for layer in layers(*leaf, grid.fine)), texts)


def _leaves(shape: Shape, origin: Point, scale: float) -> Iterator[tuple[Shape, Point, float]]:
    if not isinstance(shape, Group):
        yield shape, origin, scale
        return
    inner = origin[0] + shape.at[0] * scale, origin[1] + shape.at[1] * scale
    for leaf in shape.shapes:
        yield leaf, inner, scale * shape.scale


_SHEETS = 2
"""The most sheets that are kept for later; each takes a megabyte."""
_sheets: list[Image.Image] = []


def draw_tiles(cuts: Iterable[Cut], row: int, columns: int, grid: Grid, theme: str) -> list[Pixels]:
    """Return the tiles of a row in these columns, given as bits, from left to right; `cuts` are in drawing order."""
    import numpy as np  # only here: a start does not need it

    side, margin, fine = grid.side, grid.margin, grid.fine
    wide, high = grid.sheet
    runs = [
        (run, run[0] * side * fine, ((run[-1] + 1) * side + 2 * margin) * fine)
        for run in column_runs(columns)
    ]
    with _sheet((wide, high)) as sheet:
        draw = ImageDraw.Draw(sheet)
        for _, left, right in runs:
            sheet.paste(_colour(theme, Role.PAGE), (left, 0, right, high))
        texts = []
        for cut in cuts:
            for part in cut.parts.get(row, ()):
                if part.columns & columns:
                    part.layer.apply(draw, _colour(theme, part.layer.ink))
            texts += [text for text, reached in cut.texts.get(row, ()) if reached & columns]
        strips = [sheet.reduce(fine, (left, 0, right, high)) for _, left, right in runs]
    x, y = grid.corner(row)
    whole = Image.new("RGB", (columns.bit_count() * grid.pixels, grid.pixels), None)
    at = 0
    for (run, _, _), strip in zip(runs, strips, strict=True):
        for text in texts:
            write(strip, text, _colour(theme, text.ink), (x + run[0] * side, y))
        if margin:
            inner = margin, margin, margin + len(run) * side, margin + side
            size = len(run) * grid.pixels, grid.pixels
            strip = strip.resize(size, Image.Resampling.HAMMING, inner)
        whole.paste(strip, (at, 0))
        at += strip.width
    pixels = np.asarray(in_palette(whole, THEMES[theme]))
    return [pixels[:, left : left + grid.pixels] for left in range(0, whole.width, grid.pixels)]


@contextmanager
def _sheet(size: tuple[int, int]) -> Iterator[Image.Image]:
    """Yield a sheet of this size, which nobody else uses meanwhile. There may be anything on it."""
    try:
        sheet = _sheets.pop()
    except IndexError:
        sheet = None
    if sheet is None or sheet.size != size:
        sheet = Image.new("RGB", size, None)
    yield sheet
    if len(_sheets) < _SHEETS:
        _sheets.append(sheet)


@lru_cache(maxsize=512)
def _colour(theme: str, ink: Ink) -> Rgb:
    return THEMES[theme].rgb(ink)
