"""Pictures put together from tiles.

A tile depends on nothing but the shapes and texts that reach into it, and it is kept by them as its key, so of a
picture only what no picture before it had at the same place is drawn.

A picture can show nothing through what is kept that its own scene does not contain: a tile is found only by all that
would be drawn on it. Threads may draw at the same time.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from threading import Lock

from PIL import Image

from render.engine.brush import LESS_FINE
from render.engine.grid import Grid
from render.engine.pieces import Cache, Piece, draw_tiles, forget_pieces, pieces
from render.engine.png import Band, Pixels, band, pixels_of, png
from render.engine.raster import in_palette
from render.engine.scene import Scene
from render.engine.theme import Theme, palette

_Key = tuple[int, ...]
"""All that determines a row of tiles: the number of its place, and those of the pieces that reach into it. For a tile,
its column stands between them."""

_tiles: Cache[_Key, Band] = Cache(4 << 20)
"""By tile: the newest row that it is in. Rows are compressed, because the boards of many games are to be kept: each is
drawn again only after its next move."""
_bands: Cache[_Key, Band] = Cache(3 << 20)
_OVERHEAD = 400
"""About the bytes that keeping a tile or a band takes, mostly for its key."""
_places: dict[tuple[object, ...], int] = {}
"""By theme, grid, size of the row and row: a number. They are few, since pages have few sizes."""
_numbers = count(1)


class Drawn:
    """The pictures that were made since the start, their tiles, and the tiles among them that were drawn."""

    def __init__(self) -> None:
        self.pictures = self.tiles = self.drawn_tiles = 0
        self._lock = Lock()

    def add(self, pictures: int = 0, tiles: int = 0, drawn_tiles: int = 0) -> None:
        """Count more of each."""
        with self._lock:
            self.pictures += pictures
            self.tiles += tiles
            self.drawn_tiles += drawn_tiles


DRAWN = Drawn()


def tiled_png(scene: Scene, theme: Theme, fine: int = LESS_FINE) -> bytes:
    """Return the picture of a scene as a PNG in the palette of the theme, as wide as the scene.

    It is drawn with `fine` pixels for each of its own.
    """
    tiles = Tiles(scene, theme, Grid.of(scene.width, scene.width, fine), scene.width, scene.height)
    bands = [tiles.band(row) for row in range(tiles.rows)]
    DRAWN.add(pictures=1, tiles=tiles.rows * tiles.grid.columns)
    return png(scene.width, scene.height, palette(theme.name), bands)


def tiled_pictures(scenes: Iterable[Scene], theme: Theme, width: int) -> Iterator[Image.Image]:
    """Yield the pictures of scenes as images in the palette of the theme, `width` pixels wide.

    They are made one after the other, each from the one before and the tiles in which they differ.
    """
    shown: dict[int, _Key] = {}
    """By row: what is in the picture."""
    picture = in_palette(Image.new("RGB", (1, 1)), theme)
    for scene in scenes:
        grid = Grid.of(scene.width, width)
        size = width, math.ceil(scene.height * grid.pixels / grid.side)
        tiles = Tiles(scene, theme, grid, *size)
        if picture.size != size:
            shown, picture = {}, picture.resize(size)
        for row in range(tiles.rows):
            if shown.get(row) != tiles.keys[row]:
                shown[row] = tiles.keys[row]
                pixels = pixels_of(tiles.band(row))
                part = Image.frombytes("P", (width, len(pixels)), pixels.tobytes())
                picture.paste(part, (0, row * grid.pixels))
        yield picture.crop((0, 0, width, round(scene.height * width / scene.width)))


def forget_tiles() -> None:
    """Keep nothing of what was drawn, for tests and measurements."""
    _tiles.forget()
    _bands.forget()
    forget_pieces()


class Tiles:
    """The tiles of a scene in a theme. They are drawn when they are asked for, unless they are kept."""

    def __init__(self, scene: Scene, theme: Theme, grid: Grid, width: int, height: int) -> None:
        """Prepare a picture of `width` by `height` pixels."""
        self.grid = grid
        self.rows = grid.rows(scene.height)
        self._width, self._height = width, height
        self._theme = theme.name
        self._pieces: list[list[tuple[Piece, int]]] = [[] for _ in range(self.rows)]
        """By row: the pieces that reach into it, in drawing order, each with its columns as bits."""
        for piece in pieces(scene, grid):
            for row, columns in piece.rows:
                if row < self.rows:
                    self._pieces[row].append((piece, columns))
        self.keys: list[_Key] = [
            (self._place(row), *(piece.number for piece, _ in found))
            for row, found in enumerate(self._pieces)
        ]
        """By row: all that determines it."""

    def band(self, row: int) -> Band:
        """Return a row of tiles as a part of a PNG."""
        kept = _bands.get(self.keys[row])
        if kept is None:
            keys = self._tile_keys(row)
            kept = band(self._pixels(row, keys))
            _bands.put(self.keys[row], kept, len(kept.chunk) + _OVERHEAD)
            weight = len(kept.chunk) // len(keys) + _OVERHEAD
            for key in keys:
                _tiles.replace(key, kept, weight)
        return kept

    def _pixels(self, row: int, keys: Sequence[_Key]) -> Pixels:
        """Return a row of tiles. Of those that are kept, most were in the same row of an earlier picture."""
        import numpy as np  # only here: a start does not need it

        side = self.grid.pixels
        bands: dict[int, tuple[Band, list[int]]] = {}
        missing = []
        for column, key in enumerate(keys):
            if (kept := _tiles.get(key)) is None:
                missing.append(column)
            else:
                bands.setdefault(id(kept), (kept, []))[1].append(column)
        pixels = np.empty((self._rows_of_pixels(row), self._width), np.uint8)
        for kept, columns in bands.values():
            earlier = pixels_of(kept)
            for column in columns:
                place = slice(column * side, (column + 1) * side)
                pixels[:, place] = earlier[:, place]
        if missing:
            DRAWN.add(drawn_tiles=len(missing))
            wanted = sum(1 << column for column in missing)
            cuts = [piece.cut() for piece, reached in self._pieces[row] if reached & wanted]
            tiles = draw_tiles(cuts, row, wanted, self.grid, self._theme)
            for column, tile in zip(missing, tiles, strict=True):
                part = pixels[:, column * side : (column + 1) * side]
                part[:] = tile[: part.shape[0], : part.shape[1]]
        return pixels

    def _place(self, row: int) -> int:
        """Return a number for all that determines an empty row."""
        place = self._theme, self.grid, self._width, self._rows_of_pixels(row), row
        return _places.get(place) or _places.setdefault(place, next(_numbers))

    def _rows_of_pixels(self, row: int) -> int:
        return min(self.grid.pixels, self._height - row * self.grid.pixels)

    def _tile_keys(self, row: int) -> list[_Key]:
        """Return by column all that determines a tile."""
        place = self._place(row)
        keys = [[place, column] for column in range(self.grid.columns)]
        for piece, columns in self._pieces[row]:
            for column in _columns(columns):
                keys[column].append(piece.number)
        return list(map(tuple, keys))


@lru_cache(maxsize=1024)
def _columns(bits: int) -> tuple[int, ...]:
    return tuple(column for column in range(bits.bit_length()) if bits >> column & 1)
