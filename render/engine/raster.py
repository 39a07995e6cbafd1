"""Pixels of a scene in a theme."""

import math
from collections.abc import Sequence
from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw

from render.engine import fonts, hand
from render.engine.scene import Area, Disc, Ink, Point, Ring, Role, Scene, Shape, Stroke
from render.engine.theme import Theme, palette

_FINE = 3
"""Shapes are drawn this many times larger and then reduced, which smooths their edges; text is drawn afterwards."""


def png(scene: Scene, theme: Theme, width: int | None = None) -> bytes:
    """Return the picture as a PNG in the palette of the theme, `width` pixels wide (None: as wide as the scene)."""
    return png_of(paint(scene, theme, width))


def png_of(picture: Image.Image) -> bytes:
    """Return an image as a PNG."""
    out = BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()


def sheet(pictures: Sequence[Image.Image], columns: int) -> Image.Image:
    """Return pictures of one width and one palette as one, row by row, each in the middle of its place.

    What they do not cover has the colour of the first one's corner. Raises ValueError if there is none.
    """
    if not pictures:
        raise ValueError("A sheet needs at least one picture.")
    width, height = pictures[0].width, max(picture.height for picture in pictures)
    rows = math.ceil(len(pictures) / columns)
    whole = pictures[0].crop((0, 0, 1, 1)).resize((width * min(columns, len(pictures)), height * rows))
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        whole.paste(picture, (column * width, row * height + (height - picture.height) // 2))
    return whole


def cut_out(scene: Scene, theme: Theme) -> bytes:
    """Return the shapes and texts of a scene as a PNG in which everything else is transparent."""
    fine = Image.new("RGBA", (scene.width * _FINE, scene.height * _FINE), (0, 0, 0, 0))
    brush = _Brush(ImageDraw.Draw(fine), theme)
    for shape, origin, scale in scene.placed():
        brush.draw(shape, origin, scale)
    picture = fine.reduce(_FINE)
    _set_texts(picture, scene, theme)
    return png_of(picture)


def paint(scene: Scene, theme: Theme, width: int | None = None) -> Image.Image:
    """Return the picture as an image in the palette of the theme, `width` pixels wide (None: as wide as the scene)."""
    size = scene.width * _FINE, scene.height * _FINE
    sheet = Image.new("RGB", size, theme.rgb(Role.PAGE))
    brush = _Brush(ImageDraw.Draw(sheet), theme)
    for shape, origin, scale in scene.placed():
        brush.draw(shape, origin, scale)
    picture = sheet.reduce(_FINE)
    _set_texts(picture, scene, theme)
    if width is not None:
        picture = picture.resize((width, round(scene.height * width / scene.width)), Image.Resampling.LANCZOS)
    return picture.quantize(palette=_palette(theme.name), dither=Image.Dither.NONE)


class _Brush:
    """A brush that draws one shape at a time on a sheet `_FINE` times the size of the page."""

    def __init__(self, draw: ImageDraw.ImageDraw, theme: Theme) -> None:
        self._draw = draw
        self._theme = theme

    def draw(self, shape: Shape, origin: Point, scale: float) -> None:
        """Draw `shape` where its group is; nothing for groups and texts."""
        match shape:
            case Stroke():
                outline = (*shape.points, shape.points[0]) if shape.closed else shape.points
                self._line(_trembled(outline, shape.hand, origin, scale), shape.width * scale, shape.ink)
            case Area():
                edge = _trembled((*shape.points, shape.points[0]), shape.hand, origin, scale)
                self._draw.polygon([_fine(point) for point in edge], fill=self._theme.rgb(shape.ink))
            case Disc():
                self._disc(_placed(shape.at, origin, scale), shape.radius * scale, shape.ink)
            case Ring():
                self._ring(shape, _placed(shape.at, origin, scale), scale)

    def _disc(self, at: Point, radius: float, ink: Ink) -> None:
        self._draw.ellipse(_square(at, radius), fill=self._theme.rgb(ink))

    def _ring(self, ring: Ring, at: Point, scale: float) -> None:
        radius, width = ring.radius * scale, ring.width * scale
        if ring.dashes:
            self._dashes(at, radius, width, ring)
        elif ring.hand:
            self._line(hand.circle(at, radius, ring.hand, (ring.at, ring.radius)), width, ring.ink)
        else:
            fine = max(1, round(width * _FINE))
            self._draw.ellipse(_square(at, radius + width / 2), outline=self._theme.rgb(ring.ink), width=fine)

    def _dashes(self, at: Point, radius: float, width: float, ring: Ring) -> None:
        pitch = 2 * math.pi / ring.dashes
        for dash in range(ring.dashes):
            angles = (dash * pitch + pitch * 0.5 * step / 4 for step in range(5))
            arc = [(at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)) for angle in angles]
            self._line(arc, width, ring.ink)

    def _line(self, points: list[Point], width: float, ink: Ink) -> None:
        colour = self._theme.rgb(ink)
        line = [_fine(point) for point in points]
        self._draw.line(line, fill=colour, width=max(1, round(width * _FINE)), joint="curve")
        for end in (points[0], points[-1]):
            self._disc(end, width / 2, ink)


def _set_texts(picture: Image.Image, scene: Scene, theme: Theme) -> None:
    draw = ImageDraw.Draw(picture)
    for text in scene.texts():
        face = fonts.font(text.face, round(text.size))
        draw.text(text.at, text.words, font=face, fill=theme.rgb(text.ink), anchor=text.anchor + "m")


def _trembled(points: Sequence[Point], amount: float, origin: Point, scale: float) -> list[Point]:
    # Seeded by the points of the scene: a line trembles in the same way wherever its group is.
    return hand.trembled([_placed(point, origin, scale) for point in points], amount, points)


def _placed(point: Point, origin: Point, scale: float) -> Point:
    return origin[0] + point[0] * scale, origin[1] + point[1] * scale


def _fine(point: Point) -> Point:
    return point[0] * _FINE, point[1] * _FINE


def _square(at: Point, radius: float) -> tuple[Point, Point]:
    (x, y), reach = _fine(at), radius * _FINE
    # Pillow includes the last pixel.
    return (x - reach, y - reach), (x + reach - 1, y + reach - 1)


@cache
def _palette(theme: str) -> Image.Image:
    sheet = Image.new("P", (1, 1))
    sheet.putpalette([channel for colour in palette(theme) for channel in colour])
    return sheet
