"""Drawing new tiles: those of a row on one sheet, each shape once however many of them it reaches into."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from PIL import Image, ImageDraw

from render.engine.grid import Grid, stretches
from render.engine.pieces import Cut
from render.engine.png import Pixels
from render.engine.raster import in_palette
from render.engine.scene import Ink, Role
from render.engine.theme import THEMES, Rgb
from render.engine.writing import write

_SHEETS = 2
"""The most sheets that are kept for later; each takes a megabyte."""
_sheets: list[Image.Image] = []


def draw_tiles(cuts: Iterable[Cut], row: int, columns: int, grid: Grid, theme: str) -> list[Pixels]:
    """Return the tiles of a row in these columns, given as bits, from left to right; `cuts` are in drawing order."""
    import numpy as np  # only here: a start does not need it

    side, margin, fine = grid.side, grid.margin, grid.fine
    wide, high = grid.sheet
    runs = [
        (run, run[0] * side * fine, ((run[-1] + 1) * side + 2 * margin) * fine) for run in stretches(columns)
    ]
    with _sheet((wide, high)) as sheet:
        draw = ImageDraw.Draw(sheet)
        for _, left, right in runs:
            sheet.paste(_colour(theme, Role.PAGE), (left, 0, right, high))
        texts = []
        for cut in cuts:
            for part in cut.parts.get(row, ()):
                if part.columns & columns:
                    part.coat.apply(draw, _colour(theme, part.coat.ink))
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
    """A sheet of this size, which nobody else uses meanwhile. There may be anything on it."""
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
