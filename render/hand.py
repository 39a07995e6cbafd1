"""The hand in a drawn line: a shallow bow and a slight tremor, the same for the same line every time."""

import math
from random import Random
from zlib import crc32

from render.scene import Point

_STEP = 14.0
"""Pixels between the points of a trembling line."""


def drawn(points: tuple[Point, ...], amount: float, closed: bool = False) -> list[Point]:
    """`points` (in pixels) as a hand would join them; corners stay where they are, `amount` 0 changes nothing."""
    path = [*points, points[0]] if closed else list(points)
    if amount <= 0 or len(path) < 2:
        return path
    line = [path[0]]
    for start, end in zip(path, path[1:], strict=False):
        line += _segment(start, end, amount)
    return line


def circle(at: Point, radius: float, amount: float) -> list[Point]:
    """A closed circle line, slightly out of round."""
    x, y = at
    count = max(24, round(2 * math.pi * radius / 8))
    chance = _seeded(x, y, radius)
    sway = amount * min(2.2, 0.035 * radius)
    waves = [(order, sway / order, chance.uniform(0, 2 * math.pi)) for order in (2, 3, 5)]
    line = []
    for step in range(count + 1):
        angle = 2 * math.pi * step / count
        reach = radius + sum(size * math.sin(order * angle + phase) for order, size, phase in waves)
        line.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return line


def _segment(start: Point, end: Point, amount: float) -> list[Point]:
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    pieces = round(length / _STEP)
    if pieces < 2:
        return [end]
    chance = _seeded(x1, y1, x2, y2)
    across = (y1 - y2) / length, (x2 - x1) / length
    bow = amount * chance.uniform(-1, 1) * min(4.0, 0.012 * length)
    waves = [
        (frequency, chance.uniform(0.3, 0.8) * amount, chance.uniform(0, 2 * math.pi))
        for frequency in (length / 130, length / 47)
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


def _seeded(*numbers: float) -> Random:
    # crc32, because hash() of a text differs from process to process.
    return Random(crc32(" ".join(f"{number:.1f}" for number in numbers).encode()))  # noqa: S311 - drawing, no secret
