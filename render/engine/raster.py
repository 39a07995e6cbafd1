"""Pixels of a scene in a theme.

A picture is drawn in two layers. The ground of a scene stays the same over many moves, so its pixels are kept. They are
found only by all shapes of the ground, so a picture can show nothing through them that its own scene does not contain.
Threads may draw at the same time.
"""

from functools import cache, lru_cache
from io import BytesIO
from threading import Lock

import aggdraw
from PIL import Image

from render.engine.brush import Layer, layers
from render.engine.fonts import write
from render.engine.png import encode
from render.engine.scene import Group, Ink, Point, Role, Scene, Shape, Text
from render.engine.theme import THEMES, Rgb, Theme, palette

_Size = tuple[int, int]


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


def png(scene: Scene, theme: Theme, width: int | None = None) -> bytes:
    """Return the picture as a PNG in the palette of the theme, `width` pixels wide (None: as wide as the scene)."""
    return drawn_file(scene, theme.name, width)


@lru_cache(maxsize=32)  # of about 50 KB each
def drawn_file(scene: Scene, theme: str, width: int | None) -> bytes:
    """Return the picture as a PNG. A board is often shown again unchanged: after a hidden move, an offer, a retry."""
    return encode(paint(scene, THEMES[theme], width))


def cut_out(scene: Scene, theme: Theme) -> bytes:
    """Return the shapes and texts of a scene as a PNG in which everything else is transparent."""
    size = scene.width, scene.height
    canvas = aggdraw.Draw("RGBA", size, (0, 0, 0, 0))
    texts = _draw(canvas, scene.shapes, 1.0, theme.name)
    # What aggdraw paints on transparent pixels is multiplied by its opacity.
    picture = Image.frombytes("RGBa", size, canvas.tobytes()).convert("RGBA")
    for text in texts:
        write(picture, text, theme.rgb(text.ink))
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def paint(scene: Scene, theme: Theme, width: int | None = None) -> Image.Image:
    """Return the picture as an image in the palette of the theme, `width` pixels wide (None: as wide as the scene)."""
    DRAWN.add()
    unit = 1.0 if width is None else width / scene.width
    size = round(scene.width * unit), round(scene.height * unit)
    canvas = aggdraw.Draw("RGB", size, theme.rgb(Role.PAGE))
    if scene.ground:
        canvas.frombytes(ground_pixels(scene.ground, size, unit, theme.name))
    picture = _finished(canvas, scene.shapes, unit, theme.name)
    return picture.quantize(palette=_palette(theme.name), dither=Image.Dither.NONE)


@lru_cache(maxsize=8)  # of about 3 MB each
def ground_pixels(ground: tuple[Shape, ...], size: _Size, unit: float, theme: str) -> bytes:
    """Return the pixels of a page with these shapes and their texts."""
    canvas = aggdraw.Draw("RGB", size, _colour(theme, Role.PAGE))
    return _finished(canvas, ground, unit, theme).tobytes()


def _finished(canvas: aggdraw.Draw, shapes: tuple[Shape, ...], unit: float, theme: str) -> Image.Image:
    """Return what is on a canvas, with these shapes and then their texts on it."""
    texts = _draw(canvas, shapes, unit, theme)
    picture = Image.new("RGB", canvas.size, None)  # without filling it first, unlike Image.frombytes
    picture.frombytes(canvas.tobytes())
    for text in texts:
        write(picture, text, _colour(theme, text.ink))
    return picture


def _draw(canvas: aggdraw.Draw, shapes: tuple[Shape, ...], unit: float, theme: str) -> list[Text]:
    """Draw shapes on a canvas, with `unit` pixels for each page unit. Return their texts, in pixels."""
    texts: list[Text] = []
    _draw_group(canvas, shapes, (0.0, 0.0), unit, theme, texts)
    return texts


def _draw_group(
    canvas: aggdraw.Draw,
    shapes: tuple[Shape, ...],
    origin: Point,
    scale: float,
    theme: str,
    texts: list[Text],
) -> None:
    for shape in shapes:
        if isinstance(shape, Group) and Group in map(type, shape.shapes):
            inner = origin[0] + shape.at[0] * scale, origin[1] + shape.at[1] * scale
            _draw_group(canvas, shape.shapes, inner, scale * shape.scale, theme, texts)
            continue
        drawn, written = prepared(shape, origin, scale)
        for layer in drawn:
            layer.apply(canvas, _colour(theme, layer.ink))
        texts += written


@lru_cache(maxsize=4096)
def prepared(shape: Shape, origin: Point, scale: float) -> tuple[tuple[Layer, ...], tuple[Text, ...]]:
    """Return the layers and texts of a shape, or of a group without groups. Trembling lines take long to compute."""
    leaves: tuple[Shape, ...] = (shape,)
    if isinstance(shape, Group):
        leaves = shape.shapes
        origin = origin[0] + shape.at[0] * scale, origin[1] + shape.at[1] * scale
        scale *= shape.scale
    return (
        tuple(layer for leaf in leaves for layer in layers(leaf, origin, scale)),
        tuple(leaf.placed(origin, scale) for leaf in leaves if isinstance(leaf, Text)),
    )


@lru_cache(maxsize=512)
def _colour(theme: str, ink: Ink) -> Rgb:
    return THEMES[theme].rgb(ink)


@cache
def _palette(theme: str) -> Image.Image:
    """Return an image that has the palette of a theme."""
    sheet = Image.new("P", (1, 1))
    sheet.putpalette([channel for colour in palette(theme) for channel in colour])
    return sheet
