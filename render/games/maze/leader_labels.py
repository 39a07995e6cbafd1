"""Labels with a leader line: for areas too small to hold their label, which stands in free space nearby."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import shapely

from render.engine.scene import Point

_RINGS = (1.2, 1.8, 2.4, 3.2, 4.2)
"""The distances at which a label is tried, in heights of the label."""
_DIRECTIONS = 20
_WIDER = 1.3
"""Labels are wider than high, and so are the rings."""


@dataclass(slots=True)
class Clutter:
    """Lines and boxes on a board of `width` by `height` that labels must keep `pad` away from."""

    width: float
    height: float
    pad: float
    _things: list[Any] = field(default_factory=list)

    def add_line(self, points: Sequence[Point]) -> None:
        self._things.append(shapely.LineString(points))

    def add_disc(self, at: Point, radius: float) -> None:
        self.add_box(at, 2 * radius, 2 * radius)

    def add_box(self, at: Point, width: float, height: float) -> None:
        self._things.append(shapely.box(*_around(at, width, height)))

    def beside(self, at: Point, width: float, height: float) -> Point | None:
        """The middle of the nearest free box of this size around a point; None if there is none nearby."""
        middles = [middle for middle in _candidates(at, height) if self._on_board(middle, width, height)]
        room = [
            shapely.box(*_around(middle, width + 2 * self.pad, height + 2 * self.pad)) for middle in middles
        ]
        if not room:
            return None
        hits = set(shapely.STRtree(self._things).query(room, predicate="intersects")[0].tolist())
        return next((middle for number, middle in enumerate(middles) if number not in hits), None)

    def _on_board(self, middle: Point, width: float, height: float) -> bool:
        left, top, right, bottom = _around(middle, width + 2 * self.pad, height + 2 * self.pad)
        return left >= 0 and top >= 0 and right <= self.width and bottom <= self.height


def _around(at: Point, width: float, height: float) -> tuple[float, float, float, float]:
    return at[0] - width / 2, at[1] - height / 2, at[0] + width / 2, at[1] + height / 2


def _candidates(at: Point, height: float) -> list[Point]:
    """The middles that are tried, the nearest first."""
    angles = [2 * math.pi * direction / _DIRECTIONS for direction in range(_DIRECTIONS)]
    return [
        (at[0] + _WIDER * ring * height * math.cos(angle), at[1] + ring * height * math.sin(angle))
        for ring in _RINGS
        for angle in angles
    ]
