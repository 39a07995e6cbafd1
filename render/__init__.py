"""Pictures and their text twins, made from an Observation alone. Pure, synchronous and safe to call from any thread."""

import render.games  # noqa: F401 - registers every game
from render.correction import visible
from render.draft import with_row
from render.drawn import DRAWN
from render.picture import draw
from render.refusal import Refused
from render.seats import seat_mark
from render.text import alt, caption, text_board
from render.theme import THEMES

__all__ = [
    "DRAWN",
    "THEMES",
    "Refused",
    "alt",
    "caption",
    "draw",
    "seat_mark",
    "text_board",
    "visible",
    "with_row",
]
