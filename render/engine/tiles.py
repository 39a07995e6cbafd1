"""Pictures put together from tiles. A tile depends on nothing but the shapes and texts that reach into it, and it is
kept by them as its key, so of a picture only what no picture before it had at the same place is drawn.

A picture can show nothing through what is kept that its own scene does not contain: a tile is found only by all that
would be drawn on it. Threads may draw at the same time.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest

import numpy as np
from PIL import Image, ImageDraw

from render.engine.grid import Grid
from render.engine.kept import Kept
from render.engine.pieces import Piece, forget_pieces, pieces
from render.engine.png import Band, band, png
from render.engine.raster import in_palette
from render.engine.scene import Ink, Role, Scene
from render.engine.theme import THEMES, Rgb, Theme, palette
from render.engine.writing import write

_Key = tuple[object, ...]
"""All that determines a tile: the theme, the number of the tile, and the numbers of the pieces that reach into it."""

_tiles: Kept[_Key, bytes] = Kept(8 << 20)
_bands: Kept[tuple[object, ...], Band] = Kept(4 << 20)
_OVERHEAD = 400
"""About the bytes that keeping a tile takes, mostly for its key; a band takes this for each of its tiles."""


def tiled_png(scene: Scene, theme: Theme) -> bytes:
    """Return the picture of a scene as a PNG in the palette of the theme, as wide as the scene."""
    tiles = Tiles(scene, theme, Grid.of(scene.width, scene.width))
    bands = [tiles.band(row) for row in range(tiles.rows)]
    return png(scene.width, scene.height, palette(theme.name), bands)


def tiled_pictures(scenes: Iterable[Scene], theme: Theme, width: int) -> Iterator[Image.Image]:
    """Yield the pictures of scenes as images in the palette of the theme, `width` pixels wide.

    They are made one after the other, each from the one before and the tiles in which they differ.
    """
    shown: list[_Key] = []
    picture = in_palette(Image.new("RGB", (1, 1)), theme)
    for scene in scenes:
        grid = Grid.of(scene.width, width)
        tiles = Tiles(scene, theme, grid)
        size = grid.columns * grid.pixels, tiles.rows * grid.pixels
        if picture.size != size:
            shown, picture = [], picture.resize(size)
        changed = [tile for tile, keys in enumerate(zip_longest(tiles.keys, shown)) if keys[0] != keys[1]]
        for tile, pixels in zip(changed, tiles.pixels(changed), strict=True):
            row, column = divmod(tile, grid.columns)
            part = Image.frombytes("P", (grid.pixels, grid.pixels), pixels)
            picture.paste(part, (column * grid.pixels, row * grid.pixels))
        shown = tiles.keys
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
        total = self.rows * grid.columns
        keys: list[list[object]] = [[theme.name, grid.pixels, tile] for tile in range(total)]
        self._pieces: dict[object, Piece] = {}
        for piece in pieces(scene, grid):
            number = piece.number
            self._pieces[number] = piece
            for tile in piece.tiles:
                if tile < total:
                    keys[tile].append(number)
        self.keys: list[_Key] = list(map(tuple, keys))

    def band(self, row: int) -> Band:
        """Return a row of tiles as a part of a PNG."""
        grid = self.grid
        first = row * grid.columns
        height = min(grid.side, self._height - row * grid.side)
        key = self._width, height, *self.keys[first : first + grid.columns]
        kept = _bands.get(key)
        if kept is None:
            # A column more on the left: the byte that stands before each row.
            rows = np.zeros((grid.side, 1 + grid.columns * grid.side), np.uint8)
            for column, pixels in enumerate(self.pixels(range(first, first + grid.columns))):
                left = 1 + column * grid.side
                rows[:, left : left + grid.side] = np.frombuffer(pixels, np.uint8).reshape(
                    grid.side, grid.side
                )
            made = band(rows[:height, : 1 + self._width].tobytes())
            kept = _bands.put(key, made, len(made.chunk) + grid.columns * _OVERHEAD)
        return kept

    def pixels(self, tiles: Sequence[int]) -> list[bytes]:
        """Return the pixels of tiles, row by row: the places of their colours in the palette of the theme."""
        kept = {tile: _tiles.get(self.keys[tile]) for tile in tiles}
        missing = [tile for tile, pixels in kept.items() if pixels is None]
        for tile, pixels in zip(missing, self._drawn(missing), strict=True):
            kept[tile] = _tiles.put(self.keys[tile], pixels, len(pixels) + _OVERHEAD)
        return [pixels for pixels in kept.values() if pixels is not None]

    def _drawn(self, tiles: Sequence[int]) -> Iterator[bytes]:
        """Yield the pixels of tiles."""
        if not tiles:
            return
        grid = self.grid
        whole, side = grid.side + 2 * grid.margin, grid.pixels
        inner = grid.margin, grid.margin, grid.margin + grid.side, grid.margin + grid.side
        sheet = Image.new("RGB", (whole * grid.fine, whole * grid.fine))
        draw = ImageDraw.Draw(sheet)
        column = Image.new("RGB", (side, side * len(tiles)))
        for place, tile in enumerate(tiles):
            sheet.paste(_colour(self._theme, Role.PAGE), (0, 0, *sheet.size))
            cuts = [self._pieces[number].cut() for number in self.keys[tile][3:]]
            for cut in cuts:
                for coat in cut.coats.get(tile, ()):
                    coat.apply(draw, _colour(self._theme, coat.ink))
            picture = sheet.reduce(grid.fine)
            for cut in cuts:
                for text in cut.texts.get(tile, ()):
                    write(picture, text, _colour(self._theme, text.ink), grid.corner(tile))
            if side != grid.side:
                picture = picture.resize((side, side), Image.Resampling.HAMMING, inner)
            column.paste(picture, (0, place * side))
        values = in_palette(column, THEMES[self._theme]).tobytes()
        for place in range(len(tiles)):
            yield values[place * side * side : (place + 1) * side * side]


@lru_cache(maxsize=512)
def _colour(theme: str, ink: Ink) -> Rgb:
    return THEMES[theme].rgb(ink)
