"""Pixels of a scene in a theme.

A picture is drawn in two layers. The ground of a scene stays the same over many moves, so its pixels are kept. They are
found only by all shapes of the ground, so a picture can show nothing through them that its own scene does not contain.
Above the ground, a picture is drawn only where it differs from one that was drawn before (render/engine/kept.py).
Threads may draw at the same time.
"""

import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from io import BytesIO
from threading import Lock

import aggdraw
from isal import isal_zlib
from PIL import Image

from render.engine.brush import tool
from render.engine.fonts import write
from render.engine.kept import Area, KeptPictures, inside, meets
from render.engine.scene import Role, Scene, Shape
from render.engine.sketch import Part, box_of, parts_of
from render.engine.theme import PAPER, THEMES, palette

_Size = tuple[int, int]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 2
"""Of isal's levels, 0 to 3."""


class Drawn:
    """The number of pictures that were made since the start."""

    def __init__(self) -> None:
        self.pictures = 0
        self._lock = Lock()

    def add(self) -> None:
        """Count a picture."""
        with self._lock:
            self.pictures += 1


DRAWN = Drawn()
KEPT = KeptPictures(12)
"""Of about 1 MB each."""


@lru_cache(maxsize=32)  # of about 50 KB each
def png(scene: Scene, theme: str, width: int | None = None) -> bytes:
    """Return the picture as a PNG in the palette of a theme, `width` pixels wide (None: as wide as the scene).

    A board is often shown again unchanged: after a hidden move, an offer, a retry. Raises KeyError if `theme` is none
    of THEMES.
    """
    return encode(_painted(scene, theme, width))


def cut_out(scene: Scene) -> bytes:
    """Return the shapes and texts of a scene on paper as a PNG in which everything else is transparent."""
    size = scene.width, scene.height
    canvas = aggdraw.Draw("RGBA", size, (0, 0, 0, 0))
    parts = [*parts_of(scene.shapes, 0.0, 0.0, 1.0)]
    _draw(canvas, parts, PAPER.name)
    # What aggdraw paints on transparent pixels is multiplied by its opacity.
    picture = Image.frombytes("RGBa", size, canvas.tobytes()).convert("RGBA")
    _write(picture, parts, PAPER.name)
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def paint(scene: Scene, theme: str, width: int | None = None) -> Image.Image:
    """Return the picture as an image in the palette of a theme, `width` pixels wide (None: as wide as the scene)."""
    return _painted(scene, theme, width).copy()


def _painted(scene: Scene, theme: str, width: int | None) -> Image.Image:
    """Return the same image, which is kept and must not be changed."""
    DRAWN.add()
    unit = 1.0 if width is None else width / scene.width
    size = round(scene.width * unit), round(scene.height * unit)
    page = size, unit, theme, scene.ground
    parts = (*parts_of(scene.shapes, 0.0, 0.0, unit),)
    before, areas = KEPT.most_similar(page, parts, size)
    picture = before.copy() if before else None
    if areas:
        canvas = aggdraw.Draw("RGB", size)
        canvas.frombytes(ground_pixels(scene.ground, size, unit, theme))
        drawn = [part for part in parts if meets(box_of(part), areas)] if before else parts
        _draw(canvas, drawn, theme, areas if before else ())
        pixels = memoryview(canvas.tobytes())
        for area in areas:
            piece = _cut(pixels, size[0], area)
            _write(piece, [it for it in drawn if it[0].texts and meets(box_of(it), (area,))], theme, area[:2])
            piece = piece.quantize(palette=_palette(theme), dither=Image.Dither.NONE)
            if picture is None:
                picture = piece
            else:
                picture.paste(piece, area)
    assert picture is not None  # without a picture before, the whole page is an area
    KEPT.add(page, parts, picture)
    return picture


def _cut(pixels: memoryview, width: int, area: Area) -> Image.Image:
    """Return an area of a page of that width, which is given by its pixels."""
    left, top, right, bottom = area
    piece = Image.new("RGB", (right - left, bottom - top), None)  # not filled first, unlike Image.frombytes
    inside = pixels[3 * (top * width + left) : 3 * ((bottom - 1) * width + right)]
    piece.frombytes(inside, "raw", "RGB", 3 * width, 1)
    return piece


@lru_cache(maxsize=4)  # of about 3 MB each
def ground_pixels(ground: tuple[Shape, ...], size: _Size, unit: float, theme: str) -> bytes:
    """Return the pixels of a page with these shapes and their texts."""
    canvas = aggdraw.Draw("RGB", size, THEMES[theme].rgb(Role.PAGE))
    parts = [*parts_of(ground, 0.0, 0.0, unit)]
    _draw(canvas, parts, theme)
    picture = _cut(memoryview(canvas.tobytes()), size[0], (0, 0, *size))
    _write(picture, parts, theme)
    return picture.tobytes()


def _draw(canvas: aggdraw.Draw, parts: Iterable[Part], theme: str, areas: Sequence[Area] = ()) -> None:
    """Draw parts on a canvas, without their texts; if there are `areas`, only what is needed there."""
    for part in parts:
        sketch, x, y = part
        layers = sketch.layers
        if areas and not inside(box_of(part), areas):
            near = [(left - x, top - y, right - x, bottom - y) for left, top, right, bottom in areas]
            layers = tuple(it for it, box in zip(layers, sketch.boxes, strict=True) if meets(box, near))
        canvas.settransform((x, y))
        for form, points, ink, width in layers:
            getattr(canvas, form)(points, tool(theme, ink, width))


def _write(picture: Image.Image, parts: Iterable[Part], theme: str, corner: _Size = (0, 0)) -> None:
    """Write the texts of parts on a picture whose top left pixel is `corner` on the whole page."""
    for sketch, x, y in parts:
        for text in sketch.texts:
            at = text.at[0] + x, text.at[1] + y
            write(picture, text._replace(at=at), THEMES[theme].rgb(text.ink), corner)


@cache
def _colours(theme: str) -> bytes:
    """Return the palette of a theme as bytes: red, green, blue, red and so on."""
    return bytes(channel for colour in palette(theme) for channel in colour)


@cache
def _palette(theme: str) -> Image.Image:
    """Return an image that has the palette of a theme."""
    sheet = Image.new("P", (1, 1))
    sheet.putpalette(_colours(theme))
    return sheet


def encode(picture: Image.Image) -> bytes:
    """Return a picture of mode P as a PNG. isal needs a quarter of the time of Pillow, for about the same size."""
    width, height = picture.size
    # A byte before each row says how it is filtered: 0, not at all. Here such a byte follows each row.
    rows = memoryview(picture.tobytes("raw", "P", width + 1, 1))[:-1]
    packer = isal_zlib.compressobj(_LEVEL)
    packed = packer.compress(b"\0") + packer.compress(rows) + packer.flush()
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(picture.getpalette() or ())),
            _chunk(b"IDAT", packed),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
