"""Shapes as layers: lines, polygons and ellipses in pixels, which aggdraw paints with smooth edges."""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby, pairwise
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

import aggdraw

from render.engine.scene import Area, Disc, Dots, Ink, Point, Ring, Shape, Stroke
from render.engine.theme import THEMES

_STEP = 14.0
"""Pixels between the points of a trembling line."""
LONGEST = 20.0
"""The most pixels between two points of a line, but for lines that are level or upright.

The edge of a canvas shortens what crosses it, and changes the slope of that a little. Lines with points this close
together are changed only near the edge, so that a part of a picture is the same on a canvas of any size.
"""


@lru_cache(maxsize=64)  # a line is often drawn in several widths
def _trembled(outline: tuple[Point, ...], scale: float, amount: float) -> tuple[list[Point], ...]:
    """Return the parts of a line in pixels, straight or, if `amount` is not 0, as if drawn by hand.

    Its tremor depends on the points of its outline, whatever their scale.
    """
    # crc32, because hash() differs from process to process.
    first = crc32(repr(_seed(outline)).encode())
    return tuple(
        [start, *(_straight(start, end) if not amount else _trembling(start, end, amount, number % _TREMORS))]
        for number, (start, end) in enumerate(pairwise((x * scale, y * scale) for x, y in outline), first)
    )


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


def _straight(start: Point, end: Point) -> list[Point]:
    """Return points on the way from a start, which is left out, to an end."""
    (x1, y1), (x2, y2) = start, end
    if x1 == x2 or y1 == y2 or (length := math.hypot(x2 - x1, y2 - y1)) <= LONGEST:
        return [end]
    pieces = math.ceil(length / LONGEST)
    shares = (piece / pieces for piece in range(1, pieces))
    return [*((x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares), end]


def _trembling(start: Point, end: Point, amount: float, number: int) -> list[Point]:
    """Return points on the way from a start, which is left out, to an end, off the way by a tremor of this number."""
    (x1, y1), (x2, y2) = start, end
    x, y = x2 - x1, y2 - y1
    length = math.hypot(x, y)
    pieces = round(length / _STEP)
    if pieces < 2:
        return [end]
    across, down = -amount * y / length, amount * x / length
    return [
        *(
            (x1 + x * share + across * off, y1 + y * share + down * off)
            for share, off in _tremor(pieces, number)
        ),
        end,
    ]


@lru_cache(maxsize=1024)
def _tremor(pieces: int, number: int) -> tuple[tuple[float, float], ...]:
    """Return the share of the way up to each point between pieces, and the pixels by which it is off the way.

    The way bows, and two waves run along it; both end where it ends.
    """
    chance, length = _seeded(number), pieces * _STEP
    bow = chance.uniform(-1, 1) * min(4.0, 0.012 * length)
    waves = [
        (2 * math.pi * length / wave, chance.uniform(0.4, 1.0) * size, chance.uniform(0, 2 * math.pi))
        for wave, size in ((170, 1.0), (60, 0.35))
    ]
    found = []
    for piece in range(1, pieces):
        share = piece / pieces
        fade = math.sin(math.pi * share)
        wave = sum(size * math.sin(long * share + begin) for long, size, begin in waves)
        found.append((share, bow * fade + wave * min(1.0, 3 * fade)))
    return (*found,)


_TREMORS = 16
"""The number of tremors that ways of one length can have."""


def _seeded(seed: object) -> Random:
    return Random(crc32(repr(seed).encode()))  # noqa: S311 - for drawing, not for secrets


_SHARP = math.tan(math.radians(25))
"""The tangent of the least angle at which a line is rounded where it bends.

aggdraw gives smaller bends a point, which is not seen.
"""

Coordinates = tuple[float, ...]
"""Points in pixels, flat: x, y, x, y and so on; of an ellipse, the left top and the right bottom corner around it."""


class Layer(NamedTuple):
    """A line with its ends not rounded, a filled polygon, or an ellipse, by the name of its method in aggdraw.

    A `width` of 0 fills an ellipse. The `points` of "dots" are the middles of discs whose diameter is the `width`.
    """

    form: str
    points: Coordinates
    ink: Ink
    width: float = 0


class Call(NamedTuple):
    """A call of a method of aggdraw, which draws one layer or several of one colour and width."""

    method: str
    arguments: tuple[Any, ...]
    """Those before what draws or fills."""
    ink: Ink
    width: float = 0


def calls(layers: Iterable[Layer]) -> Iterator[Call]:
    """Yield what draws these layers, with short lines and small discs of one colour drawn together if that is quicker.

    The order of neighbours of one colour does not matter.
    """
    for ink, same in groupby(layers, key=attrgetter("ink")):
        run = [*same]
        paths: dict[float, aggdraw.Path] = {}
        discs: dict[float, list[float]] = {}
        for form, points, _, width in run:
            if form == "dots":
                discs.setdefault(width / 2, []).extend(points)
            elif len(run) > 2 and form == "line" and len(points) <= _SHORT:
                path = paths.get(width) or paths.setdefault(width, aggdraw.Path())
                places = [round(1024 * place) / 1024 for place in points]
                path.moveto(*places[:2])
                for at in range(2, len(places), 2):
                    path.lineto(*places[at : at + 2])
            elif len(run) > 2 and form == "ellipse" and not width and points[2] - points[0] < _SMALL:
                left, top, right, bottom = points
                discs.setdefault((right - left) / 2, []).extend(((left + right) / 2, (top + bottom) / 2))
            else:
                yield Call(form, (points,), ink, width)
        for width, path in paths.items():
            yield Call("line", (path,), ink, width)
        for radius, middles in discs.items():
            yield Call("symbol", (middles, _polygon(radius)), ink)


_SHORT, _SMALL = 12, 24.0
"""The most coordinates of a line, and the greatest diameter of a disc in pixels, that are drawn together."""


@lru_cache(maxsize=256)
def _polygon(radius: float) -> aggdraw.Symbol:
    """Return a polygon that looks like a disc of this radius."""
    count = round(2 * radius) + 6
    angles = (math.tau * corner / count for corner in range(count))
    corners = (f"{radius * math.cos(angle):.4f},{radius * math.sin(angle):.4f}" for angle in angles)
    return aggdraw.Symbol(f"M{'L'.join(corners)}Z")


@lru_cache(maxsize=1024)
def tool(theme: str, ink: Ink, width: float) -> Any:
    """Return what draws lines of a width, or fills if that is 0."""
    colour = THEMES[theme].rgb(ink)
    return aggdraw.Pen(colour, width) if width else aggdraw.Brush(colour)


def layers(shape: Shape, scale: float) -> Iterator[Layer]:
    """Yield the layers of a shape with this scale, in pixels. Groups and texts have none."""
    match shape:
        case Stroke():
            outline = (*shape.points, shape.points[0]) if shape.closed else shape.points
            yield from _line(_trembled(outline, scale, shape.wobble), shape.width * scale, shape.ink)
        case Area():
            outline = (*shape.points, shape.points[0])
            edge = _trembled(outline, scale, shape.wobble)
            yield Layer("polygon", _flat(point for part in edge for point in part[1:]), shape.ink)
        case Disc():
            yield _disc((shape.at[0] * scale, shape.at[1] * scale), shape.radius * scale, shape.ink)
        case Dots():
            middles = _flat((x * scale, y * scale) for x, y in shape.points)
            yield Layer("dots", middles, shape.ink, 2 * shape.radius * scale)
        case Ring():
            yield from _ring(shape, (shape.at[0] * scale, shape.at[1] * scale), scale)


def _disc(at: Point, radius: float, ink: Ink, width: float = 0) -> Layer:
    return Layer("ellipse", (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), ink, width)


def _ring(ring: Ring, at: Point, scale: float) -> Iterator[Layer]:
    radius, width = ring.radius * scale, ring.width * scale
    if ring.dashes:
        for arc in _dashes(at, radius, ring.dashes):
            yield from _line([arc], width, ring.ink)
    elif ring.wobble:
        seed = _seed((ring.at,))[0], ring.radius + 0.0
        yield from _line([circle(at, radius, ring.wobble, seed)], width, ring.ink)
    else:
        yield _disc(at, radius, ring.ink, width)


def _dashes(at: Point, radius: float, count: int) -> Iterator[list[Point]]:
    pitch = 2 * math.pi / count
    for dash in range(count):
        angles = (dash * pitch + pitch * 0.5 * step / 4 for step in range(5))
        yield [(at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)) for angle in angles]


def _line(parts: Sequence[list[Point]], width: float, ink: Ink) -> Iterator[Layer]:
    """Yield a line of several parts with round ends, and round where it bends sharply."""
    line = parts[0]
    for part in (*parts[1:], None):
        if part is not None and not _is_sharp(line[-2], line[-1], part[1]):
            line = [*line, *part[1:]]
            continue
        yield Layer("line", _flat(line), ink, width)
        yield _disc(line[0], width / 2, ink)
        line = part or line
    if line[-1] != parts[0][0]:
        yield _disc(line[-1], width / 2, ink)


def _is_sharp(before: Point, bend: Point, after: Point) -> bool:
    """Return whether a line through three points bends sharply."""
    ux, uy, vx, vy = bend[0] - before[0], bend[1] - before[1], after[0] - bend[0], after[1] - bend[1]
    return abs(ux * vy - uy * vx) > _SHARP * (ux * vx + uy * vy)


def _seed(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points as floats, so that equal points are equal seeds: 1 and 1.0, 0.0 and -0.0."""
    return tuple((x + 0.0, y + 0.0) for x, y in points)


def _flat(points: Iterable[Point]) -> Coordinates:
    return (*chain.from_iterable(points),)
