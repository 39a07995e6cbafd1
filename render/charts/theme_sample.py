"""Samples of the themes, for members who choose one: page, type, seats and a pencil line."""

from functools import cache

from render.board.seats import piece
from render.engine.raster import png
from render.engine.scene import Disc, Face, Group, Role, Scene, Shape, Stroke, Text
from render.engine.theme import SEATS

WIDTH, HEIGHT = 450, 290
"""Pixels; a message shows two samples side by side."""


@cache
def theme_sample(theme: str) -> bytes:
    """Return the sample of a theme as a PNG. Raises KeyError if `theme` is none of THEMES."""
    return png(_card(theme), theme)


def _card(theme: str) -> Scene:
    shapes: list[Shape] = [Text((WIDTH / 2, 48), theme.capitalize(), 72, face=Face.TITLE)]
    shapes += [Stroke(((30, y), (WIDTH - 30, y)), 2, Role.GRID) for y in (125, 175, 225)]
    trail = ((50, 125), (110, 175), (170, 125), (230, 225), (290, 175), (350, 125), (400, 175))
    shapes.append(Stroke(trail, 5, Role.INK))
    for seat in range(len(SEATS)):
        at = trail[seat]
        last = [Group("last", (Disc((0, 0), 1.35, Role.ACCENT),), at, 24)] if seat == len(SEATS) - 1 else []
        shapes += [*last, piece(f"seat {seat}", seat, at, 24)]
    shapes.append(Text((WIDTH / 2 + 40, 268), "a1   b2   c3   d4   e5", 24, Role.MUTED))
    return Scene(WIDTH, HEIGHT, tuple(shapes))
