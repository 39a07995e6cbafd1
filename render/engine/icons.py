"""Parts of the small pictures of a game: its mark in titles and menus, and the icons of its achievements.

A mark reaches 1 from its middle, an icon 0.7.
"""

import math

from render.engine.scene import Area, Disc, Ink, Point, Role, Shape, Stroke, rectangle

Icon = tuple[Shape, ...]


def pencil(*points: Point, ink: Ink = Role.INK, width: float = 0.09) -> Stroke:
    """Return a line of an icon."""
    return Stroke(points, width, ink, wobble=0.4)


def ruled(*points: Point, ink: Ink = Role.INK, width: float = 0.16, closed: bool = False) -> Stroke:
    """Return a straight line of a mark."""
    return Stroke(points, width, ink, wobble=0, closed=closed)


def arc(at: Point, across: float, down: float, begin: float = 0, end: float = 360) -> tuple[Point, ...]:
    """Return the points of an ellipse or a part of it, from one angle to another (degrees from the right)."""
    steps = max(6, round((end - begin) / 15))
    angles = (math.radians(begin + (end - begin) * step / steps) for step in range(steps + 1))
    return tuple((at[0] + across * math.cos(angle), at[1] + down * math.sin(angle)) for angle in angles)


def tile(page: Ink = Role.PAGE) -> Icon:
    """Return a rounded sheet with an edge that shows on every ground."""
    return *_rounded(0.96, Role.INK), *_rounded(0.86, page)


def _rounded(reach: float, ink: Ink) -> Icon:
    inner = reach - 0.2
    return (
        Area(rectangle(-inner, -reach, inner, reach), ink),
        Area(rectangle(-reach, -inner, reach, inner), ink),
        *(Disc((x * inner, y * inner), 0.2, ink) for x in (-1, 1) for y in (-1, 1)),
    )
