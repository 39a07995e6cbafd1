"""Shapes as layers, which a brush paints one after the other on a sheet a few times as large as the page.

Sheets are reduced when they are finished, which smooths the edges. Texts are written after that.
"""

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from zlib import crc32

from PIL import ImageDraw

from render.engine.scene import Area, Disc, Ink, Point, Ring, Shape, Stroke
from render.engine.theme import Rgb

_STEP = 14.0
"""Pixels between the points of a trembling line."""


def trembled(points: Sequence[Point], amount: float, seed: object) -> list[Point]:
    """Return a line through `points` (in pixels) as if it were drawn by hand. Corners stay; `amount` 0 changes nothing.

    The same `seed` (anything with a stable repr) gives the same tremor wherever the line is.
    """
    if amount <= 0:
        return list(points)
    chance = _seeded(seed)
    line = [points[0]]
    for start, end in pairwise(points):
        line += _segment(start, end, amount, chance)
    return line


def circle(at: Point, radius: float, amount: float, seed: object) -> list[Point]:
    """Return a closed circle line, slightly out of round."""
    x, y = at
    count = max(24, round(2 * math.pi * radius / 8))
    chance = _seeded(seed)
    sway = amount * min(2.2, 0.035 * radius)
    waves = [(order, sway / order, chance.uniform(0, 2 * math.pi)) for order in (2, 3, 5)]
    line = []
    for step in range(count + 1):
        angle = 2 * math.pi * step / count
        reach = radius + sum(size * math.sin(order * angle + phase) for order, size, phase in waves)
        line.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return line


def _segment(start: Point, end: Point, amount: float, chance: Random) -> list[Point]:
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    pieces = round(length / _STEP)
    if pieces < 2:
        return [end]
    across = (y1 - y2) / length, (x2 - x1) / length
    bow = amount * chance.uniform(-1, 1) * min(4.0, 0.012 * length)
    waves = [
        (length / wave, chance.uniform(0.4, 1.0) * size * amount, chance.uniform(0, 2 * math.pi))
        for wave, size in ((170, 1.0), (60, 0.35))
    ]
    line = []
    for piece in range(1, pieces):
        along = piece / pieces
        fade = math.sin(math.pi * along)
        off = bow * fade + sum(
            size * math.sin(2 * math.pi * turns * along + phase) for turns, size, phase in waves
        ) * min(1.0, 3 * fade)
        line.append((x1 + (x2 - x1) * along + across[0] * off, y1 + (y2 - y1) * along + across[1] * off))
    return [*line, end]


def _seeded(seed: object) -> Random:
    # crc32, because hash() of a text differs from process to process.
    return Random(crc32(repr(seed).encode()))  # noqa: S311 - for drawing, not for secrets


FINE = 3
"""Pixels of a sheet for each page unit."""
LESS_FINE = 2
"""The same for boards in play and films: drawing takes two thirds of the time, and edges have five shades, not ten."""

_GAP = 0.75
"""Pixels of a sheet: the widest gap on the outside of a bend that is left open."""

Dots = Sequence[float]
"""Points in whole pixels of a sheet, flat: x, y, x, y and so on. An array of floats is the quickest for Pillow."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom, the last pixels included, in pixels of a sheet."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, its ends and bends not rounded."""

    ink: Ink
    points: Dots
    width: int

    def apply(self, draw: ImageDraw.ImageDraw, colour: Rgb) -> None:
        draw.line(self.points, colour, self.width)


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled polygon."""

    ink: Ink
    points: Dots

    def apply(self, draw: ImageDraw.ImageDraw, colour: Rgb) -> None:
        draw.polygon(self.points, colour)


@dataclass(frozen=True, slots=True)
class Round:
    """A disc, or (with a `width`) a circle line inside its box."""

    ink: Ink
    box: Box
    width: int = 0

    def apply(self, draw: ImageDraw.ImageDraw, colour: Rgb) -> None:
        if self.width:
            draw.ellipse(self.box, None, colour, self.width)
        else:
            draw.ellipse(self.box, colour)


Layer = Line | Filled | Round


def layers(shape: Shape, origin: Point, scale: float, fine: int = FINE) -> Iterator[Layer]:
    """Yield the layers of a shape where its group is, on a sheet of `fine` pixels for each page unit.

    There are none for groups and texts.
    """
    match shape:
        case Stroke():
            outline = (*shape.points, shape.points[0]) if shape.closed else shape.points
            points = _trembled(outline, shape.wobble, origin, scale)
            yield from _line(points, shape.width * scale, shape.ink, fine)
        case Area():
            edge = _trembled((*shape.points, shape.points[0]), shape.wobble, origin, scale)
            yield Filled(shape.ink, _fine(edge, fine))
        case Disc():
            yield Round(shape.ink, _square(_placed(shape.at, origin, scale), shape.radius * scale, fine))
        case Ring():
            yield from _ring(shape, _placed(shape.at, origin, scale), scale, fine)


def _ring(ring: Ring, at: Point, scale: float, fine: int) -> Iterator[Layer]:
    radius, width = ring.radius * scale, ring.width * scale
    if ring.dashes:
        for arc in _dashes(at, radius, ring.dashes):
            yield from _line(arc, width, ring.ink, fine)
    elif ring.wobble:
        yield from _line(circle(at, radius, ring.wobble, _ring_seed(ring)), width, ring.ink, fine)
    else:
        yield Round(ring.ink, _square(at, radius + width / 2, fine), max(1, round(width * fine)))


def _dashes(at: Point, radius: float, count: int) -> Iterator[list[Point]]:
    pitch = 2 * math.pi / count
    for dash in range(count):
        angles = (dash * pitch + pitch * 0.5 * step / 4 for step in range(5))
        yield [(at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)) for angle in angles]


def _line(points: Sequence[Point], width: float, ink: Ink, fine: int) -> Iterator[Layer]:
    """Yield a line with round ends, and round where it bends."""
    broad = max(1, round(width * fine))
    yield Line(ink, _fine(points, fine), broad)
    ends = (points[0],) if points[0] == points[-1] else (points[0], points[-1])
    for at in (*ends, *_bends(points, broad)):
        yield Round(ink, _square(at, width / 2, fine))


def _bends(points: Sequence[Point], width: int) -> Iterator[Point]:
    """Yield the points at which a line of this width would have a gap on the outside of a bend."""
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
        turn = math.atan2(abs(ux * vy - uy * vx), ux * vx + uy * vy)
        if turn * width / 2 > _GAP:
            yield bx, by


def _trembled(points: Sequence[Point], amount: float, origin: Point, scale: float) -> list[Point]:
    # Seeded by the points of the scene: a line trembles in the same way wherever its group is.
    return trembled([_placed(point, origin, scale) for point in points], amount, _seed(points))


def _seed(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points as floats, so that equal points are equal seeds: 1 and 1.0, 0.0 and -0.0."""
    return tuple((x + 0.0, y + 0.0) for x, y in points)


def _ring_seed(ring: Ring) -> object:
    return _seed((ring.at,))[0], ring.radius + 0.0


def _placed(point: Point, origin: Point, scale: float) -> Point:
    return origin[0] + point[0] * scale, origin[1] + point[1] * scale


def _fine(points: Sequence[Point], fine: int) -> Dots:
    return array("f", [int(along * fine) for point in points for along in point])


def _square(at: Point, radius: float, fine: int) -> Box:
    x, y, reach = at[0] * fine, at[1] * fine, radius * fine
    # Pillow includes the last pixel.
    return int(x - reach), int(y - reach), int(x + reach - 1), int(y + reach - 1)
