"""Medals for the first three ranks, which differ in shape and number, not only in colour."""

import math

from render.engine.scene import Area, Disc, Group, Point, Role, Shape, Stroke, Text

MEDALS = 3
"""The number of ranks with a medal."""


def medal(rank: int, at: Point, radius: float) -> Group:
    """Return the medal of a rank from 1 to MEDALS: a golden sun, a silver coin or a bronze shield, on ribbons."""
    number = Text((0, 0.16), str(rank), 1.0, Role.PALE if rank == 3 else Role.DEEP)
    return Group(f"medal {rank}", (*_RIBBONS, *_BODIES[rank - 1], number), at, radius)


def _sun() -> tuple[Point, ...]:
    return tuple(
        (reach * math.cos(math.pi * turn / 14), 0.14 + reach * math.sin(math.pi * turn / 14))
        for turn in range(28)
        for reach in ((0.86, 0.68)[turn % 2],)
    )


def _shield(more: float) -> tuple[Point, ...]:
    half, top, low, tip = 0.6 + more, -0.48 - more, 0.36 + more / 2, 0.8 + more
    return (-half, top), (half, top), (half, low), (0.0, tip), (-half, low)


_RIBBONS: tuple[Shape, ...] = (
    Area(((-0.62, -1), (-0.18, -1), (0.22, -0.1), (-0.22, -0.1)), Role.SEAT_2),
    Area(((0.62, -1), (0.18, -1), (-0.22, -0.1), (0.22, -0.1)), Role.SEAT_1),
)
_BODIES: tuple[tuple[Shape, ...], ...] = (
    (
        Area(_sun(), Role.DEEP),
        Group("", (Area(_sun(), Role.ACCENT),), (0, 0.013), 0.91),
    ),
    (
        Disc((0, 0.14), 0.74, Role.DEEP),
        Disc((0, 0.14), 0.67, Role.PALE),
    ),
    (
        Area(_shield(0.08), Role.PALE),
        Area(_shield(0.02), Role.CRUST),
        Stroke(_shield(-0.1), 0.04, Role.MEAT, hand=0, closed=True),
    ),
)
