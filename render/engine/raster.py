"""Pixels of a scene in a theme.

A picture is drawn in two layers. The ground of a scene stays the same over many moves, so its pixels are kept. They are
found only by all shapes of the ground, so a picture can show nothing through them that its own scene does not contain.
Above the ground, a picture is drawn only where it differs from one that was drawn before (render/engine/kept.py).
Threads may draw at the same time.
"""

import math
import struct
import zlib
from collections.abc import Iterable
from functools import cache
from io import BytesIO

import aggdraw
from isal import isal_zlib
from PIL import Image

from render.engine.brush import LONGEST, tool
from render.engine.fonts import write
from render.engine.kept import Area, KeptGrounds, KeptPictures, Picture
from render.engine.scene import Role, Scene, Shape
from render.engine.sketch import Part, parts_of
from render.engine.theme import PAPER, THEMES, palette

_Size = tuple[int, int]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 2
"""Of isal's levels, 0 to 3."""


KEPT = KeptPictures(200, images=8)
"""Each takes some 60 KB, and about 1 MB more with its image."""
GROUNDS = KeptGrounds(60, unpacked=6)
"""Each takes some 80 KB, and about 2.3 MB more if it is not packed."""


def png(scene: Scene, theme: str, width: int | None = None) -> bytes:
    """Return the picture as a PNG in the palette of a theme, `width` pixels wide (None: as wide as the scene).

    A board is often shown again unchanged: after a hidden move, an offer, a retry. Raises KeyError if `theme` is none
    of THEMES.
    """
    picture = _painted(scene, theme, width)
    picture.file = picture.file or encode(_image(picture))
    return picture.file


def cut_out(scene: Scene) -> bytes:
    """Return the shapes and texts of a scene on paper as a PNG in which everything else is transparent."""
    size = scene.width, scene.height
    canvas = aggdraw.Draw("RGBA", size, (0, 0, 0, 0))
    parts = parts_of(scene.shapes, 1.0)
    _draw(canvas, parts, PAPER.name)
    # What aggdraw paints on transparent pixels is multiplied by its opacity.
    picture = Image.frombytes("RGBa", size, canvas.tobytes()).convert("RGBA")
    _write(picture, parts, PAPER.name)
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def paint(scene: Scene, theme: str, width: int | None = None) -> Image.Image:
    """Return the picture as an image in the palette of a theme, `width` pixels wide (None: as wide as the scene)."""
    return _image(_painted(scene, theme, width)).copy()


def _image(picture: Picture) -> Image.Image:
    """Return the image of a picture, from its file if it is kept without one."""
    return picture.image or decode(picture.file)


def _painted(scene: Scene, theme: str, width: int | None) -> Picture:
    unit = 1.0 if width is None else width / scene.width
    size = round(scene.width * unit), round(scene.height * unit)
    page = size, unit, theme, scene.ground
    parts = parts_of(scene.shapes, unit)
    before, areas = KEPT.most_similar(page, parts, size)
    if before is not None and not areas:
        return before
    image = None if before is None else _image(before).copy()
    ground = GROUNDS.get(page, lambda: _ground_pixels(*page))
    for area in areas:
        piece = _drawn(ground, size, parts, area, theme)
        piece = piece.quantize(palette=_palette(theme), dither=Image.Dither.NONE)
        if image is None:
            image = piece
        else:
            image.paste(piece, area)
    assert image is not None  # without a picture before, the whole page is an area
    picture = Picture(page, parts, frozenset(parts), image)
    KEPT.add(picture)
    return picture


def _ground_pixels(size: _Size, unit: float, theme: str, ground: tuple[Shape, ...]) -> bytes:
    """Return the pixels of a page with these shapes and their texts."""
    canvas = aggdraw.Draw("RGB", size, THEMES[theme].rgb(Role.PAGE))
    parts = parts_of(ground, unit)
    _draw(canvas, parts, theme)
    pixels: bytes = canvas.tobytes()
    if not any(part.texts for part in parts):
        return pixels
    picture = _cut(pixels, size[0], (0, 0, *size))
    _write(picture, parts, theme)
    return picture.tobytes()


_MARGIN = math.ceil(LONGEST) + 8
"""Pixels around an area on a canvas, in which lines may be drawn in another way."""


def _drawn(ground: bytes, page: _Size, parts: Iterable[Part], area: Area, theme: str) -> Image.Image:
    """Return an area of a page of this size and ground with the parts that have pixels in it."""
    left, top, right, bottom = area
    corner = max(0, left - _MARGIN), max(0, top - _MARGIN)
    end = min(page[0], right + _MARGIN), min(page[1], bottom + _MARGIN)
    size = end[0] - corner[0], end[1] - corner[1]
    canvas = aggdraw.Draw("RGB", size)
    if size == page:
        canvas.frombytes(ground)
        shown = [*parts]
    else:
        # Rows are cut here, because Pillow would convert all pixels to its own format and back.
        rows, stride = memoryview(ground), 3 * page[0]
        starts = range(stride * corner[1] + 3 * corner[0], stride * end[1], stride)
        canvas.frombytes(b"".join([rows[start : start + 3 * size[0]] for start in starts]))
        # Boxes are compared here instead of in a function, which takes twice as long: there are hundreds.
        shown = [
            part
            for part in parts
            for box in (part.box,)
            if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]
        ]
    _draw(canvas, shown, theme, corner)
    inner = left - corner[0], top - corner[1], right - corner[0], bottom - corner[1]
    picture = _cut(canvas.tobytes(), size[0], inner)
    _write(picture, shown, theme, (left, top))
    return picture


def _cut(pixels: bytes, width: int, area: Area) -> Image.Image:
    """Return an area of a picture of that width, which is given by its pixels."""
    left, top, right, bottom = area
    piece = Image.new("RGB", (right - left, bottom - top), None)  # not filled first, unlike Image.frombytes
    inside = memoryview(pixels)[3 * (top * width + left) : 3 * ((bottom - 1) * width + right)]
    piece.frombytes(inside, "raw", "RGB", 3 * width, 1)
    return piece


def _draw(canvas: aggdraw.Draw, parts: Iterable[Part], theme: str, corner: _Size = (0, 0)) -> None:
    """Draw parts, without their texts, on a canvas whose top left pixel is `corner` on the page."""
    for part in parts:
        if part.sketch is not None:
            canvas.settransform((part.x - corner[0], part.y - corner[1]))
            for method, arguments, ink, width in part.sketch.calls:
                getattr(canvas, method)(*arguments, tool(theme, ink, width))


def _write(picture: Image.Image, parts: Iterable[Part], theme: str, corner: _Size = (0, 0)) -> None:
    """Write the texts of parts on a picture whose top left pixel is `corner` on the page."""
    for part in parts:
        for text in part.texts:
            write(picture, text, THEMES[theme].rgb(text.ink), corner)


@cache
def colours(theme: str) -> bytes:
    """Return the palette of a theme as bytes: red, green, blue, red and so on."""
    return bytes(channel for colour in palette(theme) for channel in colour)


@cache
def _palette(theme: str) -> Image.Image:
    sheet = Image.new("P", (1, 1))
    sheet.putpalette(colours(theme))
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


def decode(file: bytes) -> Image.Image:
    """Return the picture of mode P that was encoded as this PNG. Pillow needs four times as long."""
    (width, height), palette = struct.unpack_from(">II", file, 16), file.index(b"PLTE")
    data = file.index(b"IDAT", palette) + 4
    rows = isal_zlib.decompress(memoryview(file)[data:-16], bufsize=(width + 1) * height)
    image = Image.new("P", (width, height), None)
    image.frombytes(memoryview(rows)[1:], "raw", "P", width + 1, 1)
    image.putpalette(file[palette + 4 : data - 12])
    return image


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
