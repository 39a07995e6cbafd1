"""Names that people gave themselves, as far as the type face can draw them."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from render.engine import fonts
from render.engine.scene import Face

ELLIPSIS = "…"
_ABSENT = "\uffff"
"""A character that no face has: what is drawn in its place is drawn for every other missing one."""
_ENOUGH = 0.5
"""The share of a name's letters that must be there for the rest of it to stand for the whole."""


def drawable_name(names: Iterable[str]) -> str:
    """Return the first of a member's names that can be drawn, as far as it can; "" if none can.

    Left out are control characters, marks that change the direction of what follows, marks piled on letters, emoji and
    all that the face has no glyph for. Letters in ornamental alphabets become plain ones.
    """
    for name in names:
        plain = unicodedata.normalize("NFKC", name)
        drawn = " ".join("".join(letter for letter in plain if _drawn(letter)).split())
        wanted = sum(unicodedata.category(letter)[0] in "LN" for letter in plain)
        kept = sum(unicodedata.category(letter)[0] in "LN" for letter in drawn)
        if kept and kept >= _ENOUGH * wanted:
            return drawn
    return ""


def cut_name(name: str, size: float, room: float) -> str:
    """Return a name that is at most `room` wide at this size; a longer one ends in an ellipsis."""
    if fonts.width(name, Face.READ, size) <= room:
        return name
    while name and fonts.width(name.rstrip() + ELLIPSIS, Face.READ, size) > room:
        name = name[:-1]
    return name.rstrip() + ELLIPSIS


@lru_cache(maxsize=4096)
def _drawn(letter: str) -> bool:
    """True if a letter is drawn: it has a glyph of its own and stands on the line, not on another letter."""
    if letter.isspace():
        return True
    if unicodedata.category(letter)[0] in "CM":
        return False
    # Right-to-left scripts need a layout engine that the pictures do without.
    if unicodedata.bidirectional(letter) in ("R", "AL"):
        return False
    return _glyph(letter) != _glyph(_ABSENT)


def _glyph(letter: str) -> bytes:
    face = fonts.font(Face.READ, 34)
    return bytes(face.getmask(letter)) + repr(face.getbbox(letter)).encode()
