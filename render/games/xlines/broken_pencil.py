"""The trophy of X's and Lines: the broken pencil of the loser."""

import math
from collections.abc import Iterable

from render.board.seats import marking
from render.engine.scene import Area, Mix, Point, Role, Shape, Stroke
from render.engine.theme import SEATS
from rules.core.game import Seat

_THICK = 0.25
"""Half the thickness of a pencil from -1 to 1."""
_BREAK = ((0.02, -_THICK), (0.12, -0.1), (-0.04, 0.02), (0.1, 0.13), (0.0, _THICK))
"""The broken edge, from top to bottom."""


def broken_pencil(seat: Seat) -> tuple[Shape, ...]:
    """Return a broken pencil in the colour of a seat, with its mark, from -1 to 1."""
    body, shade = SEATS[seat], Mix(SEATS[seat], 0.6)
    return (
        Area(_butt(((-0.9, -_THICK), *_BREAK, (-0.9, _THICK))), body),
        Stroke(_butt(((-0.88, 0.17), (0.02, 0.17))), 0.05, shade, hand=0),
        Stroke(_butt(((-0.92, 0.04 - _THICK), (-0.92, _THICK - 0.04))), 0.12, Role.MUTED, hand=0),
        marking(seat, _butt(((-0.45, -0.02),))[0], 0.3),
        Area(_tip(((0.42, _THICK), *reversed(_BREAK), (0.42, -_THICK))), body),
        Stroke(_tip(((0.1, 0.17), (0.42, 0.17))), 0.05, shade, hand=0),
        Area(_tip(((0.42, -_THICK), (0.82, -0.09), (0.82, 0.09), (0.42, _THICK))), Role.GRID),
        Area(_tip(((0.8, -0.1), (0.98, 0), (0.8, 0.1))), Role.INK),
    )


def _butt(points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple(_turned(point, -12, (-0.03, 0.05)) for point in points)


def _tip(points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple(_turned(point, 24, (0.03, 0.0)) for point in points)


def _turned(point: Point, degrees: float, by: Point) -> Point:
    """Turn a point clockwise around the break and move it."""
    across, down = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = point
    return x * across - y * down + by[0], x * down + y * across + by[1]
