"""Scenes as SVG: sharp at any size, and every named group is an element with its name in `data-name`."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape

from render.engine.brush import Layer, layers
from render.engine.fonts import baseline, font_file
from render.engine.scene import Face, Group, Ink, Point, Role, Scene, Shape, Text
from render.engine.theme import THEMES, Theme

FAMILIES = {Face.TITLE: "Amatic SC", Face.READ: "Hanken Grotesk"}
"""The names of the two faces in style sheets; whoever shows an SVG provides them."""

_ANCHORS = {"l": "start", "m": "middle", "r": "end"}


def font_faces() -> str:
    """Return a style sheet that holds both faces, about 310 KB."""
    return "".join(
        f"@font-face{{font-family:'{family}';src:url(data:font/{'otf' if face is Face.READ else 'ttf'};base64,"
        f"{b64encode(font_file(face)).decode()})}}"
        for face, family in FAMILIES.items()
    )


def svg(scene: Scene, theme: str, style: str = "") -> str:
    """Return the picture of a scene as an SVG document in the palette of a theme, with a `style` sheet.

    Its coordinates are page units, and it has no size of its own. The shapes are those of the PNG. Raises KeyError if
    `theme` is none of THEMES.
    """
    colours = THEMES[theme]
    page = f'viewBox="0 0 {scene.width} {scene.height}" stroke-linecap="round" stroke-linejoin="round"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {page}>']
    if style:
        parts.append(f"<style>{style}</style>")
    parts.append(f'<rect width="{scene.width}" height="{scene.height}" fill="{_hex(colours, Role.PAGE)}"/>')
    for layer in (scene.ground, scene.shapes):
        parts += _shapes(layer, (0.0, 0.0), 1.0, theme)
        parts += _texts(layer, (0.0, 0.0), 1.0, colours)
    return "".join((*parts, "</svg>"))


def _shapes(shapes: Sequence[Shape], origin: Point, scale: float, theme: str) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Group) and Group in map(type, shape.shapes):
            # This is the board, which changes with every move, while most of its shapes stay.
            yield _named(shape, origin, scale, theme)
        else:
            yield _shape(shape, origin, scale, theme)


@lru_cache(maxsize=4096)
def _shape(shape: Shape, origin: Point, scale: float, theme: str) -> str:
    if isinstance(shape, Group):
        return _named(shape, origin, scale, theme)
    painted = [*layers(shape, scale)]
    lines = [it for it in painted if it.form == "line"]
    # The ends of a line are round here, so the discs at its ends are left out.
    return "".join(_element(layer, origin, THEMES[theme]) for layer in lines or painted)


def _named(group: Group, origin: Point, scale: float, theme: str) -> str:
    inner = x, y = origin[0] + group.at[0] * scale, origin[1] + group.at[1] * scale
    drawn = "".join(_shapes(group.shapes, inner, scale * group.scale, theme))
    if not group.name:
        return drawn
    return f'<g data-name="{escape(group.name)}" data-at="{_number(x)} {_number(y)}">{drawn}</g>'


def _element(layer: Layer, origin: Point, theme: Theme) -> str:
    points, colour = [at + origin[axis % 2] for axis, at in enumerate(layer.points)], _hex(theme, layer.ink)
    if layer.form == "polygon":
        return f'<path d="{_path(points)}Z" fill="{colour}"/>'
    if layer.form == "dots":
        pairs = zip(points[::2], points[1::2], strict=True)
        dots = "".join(f"M{_number(x)} {_number(y)}h0" for x, y in pairs)  # only their round ends are seen
        return f'<path d="{dots}" stroke="{colour}" stroke-width="{_number(layer.width)}"/>'
    paint = f'fill="none" stroke="{colour}" stroke-width="{_number(layer.width)}"'
    if layer.form == "line":
        return f'<path d="{_path(points)}" {paint}/>'
    left, top, right, bottom = points
    middle = f'cx="{_number((left + right) / 2)}" cy="{_number((top + bottom) / 2)}"'
    if not layer.width:
        paint = f'fill="{colour}"'
    return f'<circle {middle} r="{_number((right - left) / 2)}" {paint}/>'


def _texts(shapes: Sequence[Shape], origin: Point, scale: float, theme: Theme) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Group):
            inner = origin[0] + shape.at[0] * scale, origin[1] + shape.at[1] * scale
            yield from _texts(shape.shapes, inner, scale * shape.scale, theme)
        elif isinstance(shape, Text):
            yield _text(shape.placed(origin, scale), theme)


def _text(text: Text, theme: Theme) -> str:
    x, y = text.at
    return (
        f'<text x="{_number(x)}" y="{_number(y + baseline(text.face, text.size))}" font-size="{_number(text.size)}"'
        f' font-family="{FAMILIES[text.face]}" text-anchor="{_ANCHORS[text.anchor]}"'
        f' fill="{_hex(theme, text.ink)}">{escape(text.words)}</text>'
    )


def _path(points: Sequence[float]) -> str:
    pairs = [f"{_number(x)} {_number(y)}" for x, y in zip(points[::2], points[1::2], strict=True)]
    return "M" + "L".join(pairs)


def _number(value: float) -> str:
    """Return a length in page units, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def _hex(theme: Theme, ink: Ink) -> str:
    return "#" + bytes(theme.rgb(ink)).hex()
