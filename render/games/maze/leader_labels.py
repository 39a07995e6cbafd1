"""Labels for places too small to hold them: set where there is room nearby, with a line to the place."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from render.engine.fonts import Box
from render.engine.scene import Point

_RINGS = (1.2, 1.8, 2.4, 3.2, 4.2)
"""How far off places are tried, in heights of the label."""
_WAYS = 20
_WIDER = 1.3
"""Labels are wider than high, and so are the rings."""


@dataclass(slots=True)
class Clutter:
    """What labels must keep clear of on a board of `width` by `height`."""

    width: float
    height: float
    pad: float
    lines: list[tuple[Point, Point]] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def add_line(self, points: Sequence[Point]) -> None:
        self.lines += pairwise(points)

    def add_disc(self, at: Point, radius: float) -> None:
        self.add_box(at, 2 * radius, 2 * radius)

    def add_box(self, at: Point, width: float, height: float) -> None:
        self.boxes.append(_around(at, width, height))

    def free(self, at: Point, width: float, height: float) -> bool:
        """Whether a box here is on the board and `pad` away from everything."""
        left, top, right, bottom = room = _around(at, width + 2 * self.pad, height + 2 * self.pad)
        if left < 0 or top < 0 or right > self.width or bottom > self.height:
            return False
        if any(_overlap(other, room) for other in self.boxes):
            return False
        return not any(_touches(line, room) for line in self.lines)

    def beside(self, place: Point, width: float, height: float) -> Point | None:
        """The nearest free middle for a box that belongs to `place`; None where there is none nearby."""
        reach = _RINGS[-1] * height
        window = _around(place, 2 * _WIDER * reach + width + 2 * self.pad, 2 * reach + height + 2 * self.pad)
        nearby = Clutter(
            self.width,
            self.height,
            self.pad,
            [line for line in self.lines if _touches(line, window)],
            [box for box in self.boxes if _overlap(box, window)],
        )
        return next((at for at in _spots(place, height) if nearby.free(at, width, height)), None)


def _around(at: Point, width: float, height: float) -> Box:
    return at[0] - width / 2, at[1] - height / 2, at[0] + width / 2, at[1] + height / 2


def _spots(place: Point, height: float) -> Iterator[Point]:
    """The places that are tried, the nearest first."""
    for ring in _RINGS:
        for way in range(_WAYS):
            angle = 2 * math.pi * way / _WAYS
            across, down = _WIDER * ring * height * math.cos(angle), ring * height * math.sin(angle)
            yield place[0] + across, place[1] + down


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _touches(line: tuple[Point, Point], room: Box) -> bool:
    """Whether a segment has a point in a box: what is left of it after each side of the box has cut it."""
    (x1, y1), (x2, y2) = line
    left, top, right, bottom = room
    low, high = 0.0, 1.0
    for start, way, least, most in ((x1, x2 - x1, left, right), (y1, y2 - y1, top, bottom)):
        if way == 0:
            if not least <= start <= most:
                return False
            continue
        one, other = sorted(((least - start) / way, (most - start) / way))
        low, high = max(low, one), min(high, other)
    return low <= high
