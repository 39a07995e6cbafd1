"""Lines as if drawn by hand: a shallow bow and a slight tremor, the same every time for the same line."""

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from zlib import crc32

from render.engine.scene import Point

_STEP = 14.0
"""Pixels between the points of a trembling line."""


def trembled(points: Sequence[Point], amount: float, seed: object) -> list[Point]:
    """Return a line through `points` (in pixels) as a hand draws it. Corners stay; `amount` 0 changes nothing.

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
