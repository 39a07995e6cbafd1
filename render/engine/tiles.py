"""Pictures put together from tiles. A tile depends on nothing but the shapes and texts that reach into it, and it is
kept by them as its key, so of a picture only what no picture before it had at the same place is drawn.

A picture can show nothing through what is kept that its own scene does not contain: a tile is found only by all that
would be drawn on it. Threads may draw at the same time.
"""

from collections.abc import Iterable, Iterator
from threading import Lock

import numpy as np
from PIL import Image

from render.engine.brush import LESS_FINE
from render.engine.grid import Grid
from render.engine.kept import Kept
from render.engine.pieces import Piece, forget_pieces, pieces
from render.engine.png import Band, band, png
from render.engine.raster import in_palette
from render.engine.scene import Scene
from render.engine.strips import Pixels, draw_tiles
from render.engine.theme import Theme, palette

_Key = tuple[object, ...]
"""All that determines a tile: the theme, its place in the grid, and the numbers of the pieces that reach into it; or
the same of a row of tiles."""

_tiles: Kept[_Key, Pixels] = Kept(8 << 20)
_bands: Kept[_Key, Band] = Kept(4 << 20)
_OVERHEAD = 500
"""About the bytes that keeping a tile or a band takes, mostly for its key."""


class Drawn:
    """How many pictures were made since the start, the tiles that they have, and those of them that were drawn."""

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
    tiles = Tiles(scene, theme, Grid.of(scene.width, scene.width, fine))
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
        tiles = Tiles(scene, theme, grid)
        size = grid.columns * grid.pixels, tiles.rows * grid.pixels
        if picture.size != size:
            shown, picture = {}, picture.resize(size)
        for row in range(tiles.rows):
            if shown.get(row) != tiles.keys[row]:
                shown[row] = tiles.keys[row]
                pixels = tiles.pixels(row)
                part = Image.frombytes("P", (pixels.shape[1], grid.pixels), pixels.tobytes())
                picture.paste(part, (0, row * grid.pixels))
        yield picture.crop((0, 0, width, round(scene.height * width / scene.width)))


def forget_tiles() -> None:
    """Keep nothing of what was drawn, for tests and measurements."""
    _tiles.forget()
    _bands.forget()
    forget_pieces()


class Tiles:
    """The tiles of a scene in a theme. They are drawn when they are asked for, unless they are kept."""

    def __init__(self, scene: Scene, theme: Theme, grid: Grid) -> None:
        self.grid = grid
        self.rows = grid.rows(scene.height)
        self._width, self._height = scene.width, scene.height
        self._theme = theme.name
        self._pieces: list[list[tuple[Piece, int]]] = [[] for _ in range(self.rows)]
        """By row: the pieces that reach into it, in drawing order, each with its columns as bits."""
        for piece in pieces(scene, grid):
            for row, columns in piece.rows:
                if row < self.rows:
                    self._pieces[row].append((piece, columns))
        self.keys: list[_Key] = [
            (theme.name, grid, row, *(piece.number for piece, _ in found))
            for row, found in enumerate(self._pieces)
        ]
        """By row: all that determines it."""

    def band(self, row: int) -> Band:
        """Return a row of tiles as a part of a PNG."""
        height = min(self.grid.side, self._height - row * self.grid.side)
        key = self._width, height, *self.keys[row]
        kept = _bands.get(key)
        if kept is None:
            # A column more on the left: the byte that stands before each row of pixels.
            rows = np.zeros((height, 1 + self._width), np.uint8)
            rows[:, 1:] = self.pixels(row)[:height, : self._width]
            made = band(rows.tobytes())
            kept = _bands.put(key, made, len(made.chunk) + _OVERHEAD)
        return kept

    def pixels(self, row: int) -> Pixels:
        """Return a row of tiles."""
        keys = self._tile_keys(row)
        kept = [_tiles.get(key) for key in keys]
        missing = [column for column, pixels in enumerate(kept) if pixels is None]
        if missing:
            DRAWN.add(drawn_tiles=len(missing))
            columns = sum(1 << column for column in missing)
            cuts = [piece.cut() for piece, reached in self._pieces[row] if reached & columns]
            drawn = draw_tiles(cuts, row, columns, self.grid, self._theme)
            for column, pixels in zip(missing, drawn, strict=True):
                kept[column] = _tiles.put(keys[column], pixels, pixels.nbytes + _OVERHEAD)
        return np.concatenate([pixels for pixels in kept if pixels is not None], axis=1)

    def _tile_keys(self, row: int) -> list[_Key]:
        """Return by column all that determines a tile."""
        keys: list[list[object]] = [
            [self._theme, self.grid, row, column] for column in range(self.grid.columns)
        ]
        for piece, columns in self._pieces[row]:
            for column, key in enumerate(keys):
                if columns >> column & 1:
                    key.append(piece.number)
        return list(map(tuple, keys))
