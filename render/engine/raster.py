"""Pixels of a scene in a theme, drawn as a whole, for pictures that are drawn once. Boards are drawn by `tiles`."""

from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw

from render.engine.brush import FINE, layers
from render.engine.fonts import write
from render.engine.scene import Role, Scene
from render.engine.theme import Theme, palette


def png(scene: Scene, theme: Theme, width: int | None = None) -> bytes:
    """Return the picture as a PNG in the palette of the theme, `width` pixels wide (None: as wide as the scene)."""
    return png_of(paint(scene, theme, width))


def png_of(picture: Image.Image) -> bytes:
    """Return an image as a PNG."""
    out = BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()


def cut_out(scene: Scene, theme: Theme) -> bytes:
    """Return the shapes and texts of a scene as a PNG in which everything else is transparent."""
    sheet = Image.new("RGBA", (scene.width * FINE, scene.height * FINE), (0, 0, 0, 0))
    return png_of(_finished(sheet, scene, theme, FINE))


def paint(scene: Scene, theme: Theme, width: int | None = None, fine: int = FINE) -> Image.Image:
    """Return the picture as an image in the palette of the theme, `width` pixels wide (None: as wide as the scene)."""
    sheet = Image.new("RGB", (scene.width * fine, scene.height * fine), theme.rgb(Role.PAGE))
    picture = _finished(sheet, scene, theme, fine)
    if width is not None:
        picture = picture.resize((width, round(scene.height * width / scene.width)), Image.Resampling.LANCZOS)
    return in_palette(picture, theme)


def in_palette(picture: Image.Image, theme: Theme) -> Image.Image:
    """Return a picture in the palette of the theme."""
    return picture.quantize(palette=_palette(theme.name), dither=Image.Dither.NONE)


def _finished(sheet: Image.Image, scene: Scene, theme: Theme, fine: int) -> Image.Image:
    """Return a scene drawn on a sheet `fine` times its size, reduced, with its texts."""
    draw = ImageDraw.Draw(sheet)
    for placed in scene.placed():
        for layer in layers(*placed, fine):
            layer.apply(draw, theme.rgb(layer.ink))
    picture = sheet.reduce(fine)
    for text in scene.texts():
        write(picture, text, theme.rgb(text.ink))
    return picture


@cache
def _palette(theme: str) -> Image.Image:
    """Return an image that has the palette of a theme."""
    sheet = Image.new("P", (1, 1))
    sheet.putpalette([channel for colour in palette(theme) for channel in colour])
    return sheet
