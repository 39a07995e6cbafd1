"""A small mark of each game: recognisable 20 pixels high, on light and on dark ground, without a page of its own."""

import math
from collections.abc import Mapping
from types import MappingProxyType

from render.engine.raster import cut_out
from render.engine.scene import (
    Area,
    Disc,
    Group,
    Ink,
    Mix,
    Point,
    Role,
    Scene,
    Shape,
    Stroke,
    Text,
    rectangle,
)
from render.engine.theme import PAPER

MARK_SIZE = 128
"""The width and height of the picture of a mark, in pixels."""

_Mark = tuple[Shape, ...]
_BLUE_PAGE, _GREEN_PAGE = Mix(Role.SEAT_2, 0.25), Mix(Role.SEAT_3, 0.25)


def mark_png(game: str) -> bytes:
    """Return the mark of a game as a PNG with a transparent ground. Raises KeyError if it has none."""
    half = MARK_SIZE / 2
    return cut_out(Scene(MARK_SIZE, MARK_SIZE, (Group(game, MARKS[game], (half, half), half),)), PAPER)


def _line(*points: Point, ink: Ink = Role.INK, width: float = 0.16, closed: bool = False) -> Stroke:
    return Stroke(points, width, ink, hand=0, closed=closed)


def _tile(page: Ink = Role.PAGE) -> _Mark:
    """Return a rounded sheet with an edge that shows on every ground."""
    return *_rounded(0.96, Role.INK), *_rounded(0.86, page)


def _rounded(reach: float, ink: Ink) -> _Mark:
    inner = reach - 0.2
    return (
        Area(rectangle(-inner, -reach, inner, reach), ink),
        Area(rectangle(-reach, -inner, reach, inner), ink),
        *(Disc((x * inner, y * inner), 0.2, ink) for x in (-1, 1) for y in (-1, 1)),
    )


def _skull() -> _Mark:
    eyes = (Disc((side * 0.29, -0.1), 0.21, Role.DEEP) for side in (-1, 1))
    nose = Area(((0, 0.12), (0.12, 0.36), (-0.12, 0.36)), Role.DEEP)
    teeth = (_line((x, 0.56), (x, 0.8), ink=Role.DEEP, width=0.07) for x in (-0.16, 0.16))
    return *_bone(0.09, Role.DEEP), *_bone(0, Role.PALE), *eyes, nose, *teeth


def _bone(more: float, ink: Ink) -> _Mark:
    """Return a head and its jaw, `more` larger on every side."""
    jaw = rectangle(-0.4 - more, 0.2, 0.4 + more, 0.8 + more)
    return Disc((0, -0.2), 0.68 + more, ink), Area(jaw, ink)


def _stones() -> _Mark:
    shapes: list[Shape] = []
    for number in range(6):
        angle = math.tau * number / 6
        at = 0.64 * math.sin(angle), -0.64 * math.cos(angle)
        ink = (Role.SEAT_1, Role.SEAT_2)[number in (1, 2, 4)]
        shapes += [Disc(at, 0.33, Role.PALE), Disc(at, 0.28, ink)]
    return tuple(shapes)


def _maze() -> _Mark:
    walls = (-0.5, 0.86), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, 0.5), (0, 0.0)
    return *_tile(_GREEN_PAGE), _line(*walls, width=0.2)


def _cards() -> _Mark:
    """Two cards that lean on a mirror between them."""
    shapes: list[Shape] = []
    for side, suit in ((-1, Role.INK), (1, Role.SUIT)):
        corners = (0.1, -0.6), (0.66, -0.84), (0.95, 0.62), (0.1, 0.84)
        card = tuple((side * x, y) for x, y in corners)
        shapes += [
            Area(card, Role.PALE),
            _line(*card, ink=Role.INK, width=0.09, closed=True),
            Area(tuple((side * x, y) for x, y in ((0.49, -0.42), (0.74, 0), (0.5, 0.44), (0.26, 0))), suit),
        ]
    return tuple(shapes)


def _polygon() -> _Mark:
    corners = (0, -0.66), (0.68, -0.1), (0.4, 0.64), (-0.4, 0.64), (-0.68, -0.1)
    fill = Area(corners, Mix(Role.SEAT_5, 0.35))
    dots = (
        Disc(at, radius, ink) for at in corners for radius, ink in ((0.26, Role.PALE), (0.2, Role.SEAT_5))
    )
    return fill, _line(*corners, ink=Role.SEAT_5, width=0.15, closed=True), *dots


def _spaghetti() -> _Mark:
    ball = tuple(
        Stroke(rectangle(-0.4, -0.4, 0.4, 0.4), width, ink, 0, closed=True)
        for width, ink in ((0.6, Role.CRUST), (0.46, Role.MEAT))
    )
    strands = (((-0.82, 0.34), (0.82, -0.5)), ((-0.5, -0.82), (0.38, 0.82)))
    return (
        *ball,
        Area(rectangle(-0.4, -0.4, 0.4, 0.4), Role.MEAT),
        *(
            _line(*ends, ink=ink, width=width)
            for ends in strands
            for width, ink in ((0.32, Role.CRUST), (0.2, Role.PASTA))
        ),
    )


def _crosses() -> _Mark:
    crosses = (
        _line((x - side * 0.2, y - 0.2), (x + side * 0.2, y + 0.2), ink=Role.INK, width=0.15)
        for x, y in ((-0.44, 0.44), (0.44, -0.44))
        for side in (-1, 1)
    )
    trail = _line((-0.44, 0.44), (-0.44, -0.44), (0.44, -0.44), ink=Role.SEAT_1, width=0.2)
    return *_tile(), trail, *crosses


MARKS: Mapping[str, _Mark] = MappingProxyType(
    {
        "alaric": _stones(),
        "cocomposite": (*_tile(_BLUE_PAGE), Text((0, -0.03), "15", 1.3, Role.INK)),
        "maze": _maze(),
        "palindromes": _cards(),
        "polygons": _polygon(),
        "skull": _skull(),
        "spaghetti": _spaghetti(),
        "xlines": _crosses(),
    }
)
