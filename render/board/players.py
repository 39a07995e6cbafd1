"""Players in pictures: lines with their seats, names and points, and an avatar for each level of the computer."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from render.board.seats import Item, line_width, seat_item, space, text_item
from render.engine import fonts
from render.engine.scene import Area, Disc, Face, Group, Point, Role, Shape, Stroke, rectangle
from rules.core.game import Seat

WIDEST = 800
"""The greatest width of a line, in page units."""


YOU = "You"
"""The name of the member who alone sees a picture."""


@dataclass(frozen=True, slots=True)
class Player:
    """The player at a seat: the name, and the level from 1 of a computer player; 0 for a member."""

    seat: Seat
    name: str
    level: int = 0


def seat_items(seat: Seat, player: Player | None, points: int | None, size: float) -> list[Item]:
    """Return the mark of a seat with its player and points, as far as they are known; text is `size` high."""
    name = f"player {seat}" if points is None else f"score {seat}"
    items = [seat_item(name, seat, 0.6 * size)]
    if player is not None and player.level:
        items += [space(12), Item(36, (avatar(player.level, (18, 0), 24),))]
    if player is not None and player.name:
        items += [space(10), text_item(player.name, 0.85 * size)]
    if points is not None:
        items += [space(12), text_item(str(points), size)]
    return items


def lines_of(entries: Sequence[list[Item]], gap: float = 44, widest: float = WIDEST) -> list[list[Item]]:
    """Return entries in as few lines as possible, `gap` page units apart and at most `widest` page units wide."""
    lines: list[list[Item]] = []
    for entry in entries:
        if lines and line_width(lines[-1]) + gap + line_width(entry) <= widest:
            lines[-1] += [space(gap), *entry]
        else:
            lines.append([*entry])
    return lines


ELLIPSIS = "…"
_ABSENT = "\uffff"
"""A character that no face has: what is drawn in its place is drawn for every other missing one."""
LETTERS = 20
"""The most letters of a name in a picture of a board."""


def drawable_name(names: Iterable[str]) -> str:
    """Return the first of a member's names whose letters and digits can all be drawn; "" if there is none.

    Left out are control characters, marks that change the direction of what follows, marks piled on letters, and emoji.
    Letters in ornamental alphabets become plain ones.
    """
    for name in names:
        plain = unicodedata.normalize("NFKC", name)
        drawn = " ".join("".join(letter for letter in plain if _drawn(letter)).split())
        wanted = sum(unicodedata.category(letter)[0] in "LN" for letter in plain)
        kept = sum(unicodedata.category(letter)[0] in "LN" for letter in drawn)
        if kept and kept == wanted:
            return drawn
    return ""


def cut_name(name: str, size: float, room: float) -> str:
    """Return a name that is at most `room` wide at this size; a longer one ends in an ellipsis."""
    if fonts.width(name, Face.READ, size) <= room:
        return name
    while name and fonts.width(name.rstrip() + ELLIPSIS, Face.READ, size) > room:
        name = name[:-1]
    return name.rstrip() + ELLIPSIS


def short_name(names: Iterable[str]) -> str:
    """Return the drawable name of a player for a picture of a board, with at most LETTERS letters; "" if none is."""
    name = drawable_name(names)
    return name if len(name) <= LETTERS else name[: LETTERS - 1].rstrip() + ELLIPSIS


@lru_cache(maxsize=4096)
def _drawn(letter: str) -> bool:
    """Return True if both faces have a glyph for a letter, and it stands on the line, not on another letter."""
    if letter.isspace():
        return True
    if unicodedata.category(letter)[0] in "CM":
        return False
    # Right-to-left scripts need a layout engine that the pictures do without.
    if unicodedata.bidirectional(letter) in ("R", "AL"):
        return False
    return all(_glyph(letter, face) != _glyph(_ABSENT, face) for face in Face)


def _glyph(letter: str, face: Face) -> bytes:
    font = fonts.font(face, 34)
    return bytes(font.getmask(letter)) + repr(font.getbbox(letter)).encode()


def avatar(level: int, at: Point, radius: float) -> Group:
    """Return the writing tool that stands for a level: a crayon for the first, a set square for the last."""
    return Group(f"avatar {level}", _AVATARS[level - 1], at, radius)


def _box(left: float, top: float, right: float, bottom: float, ink: Role = Role.INK) -> Area:
    return Area(rectangle(left, top, right, bottom), ink)


def _form(*points: Point) -> Area:
    return Area(points, Role.INK)


_CRAYON: tuple[Shape, ...] = (
    _form((-0.18, -1), (0.18, -1), (0.34, -0.4), (-0.34, -0.4)),
    _box(-0.34, -0.3, 0.34, 1),
    _box(-0.34, 0.0, 0.34, 0.14, Role.PAGE),
    _box(-0.34, 0.62, 0.34, 0.76, Role.PAGE),
)
_BRUSH: tuple[Shape, ...] = (
    _form((0, -1), (0.2, -0.72), (0.34, -0.2), (-0.34, -0.2), (-0.2, -0.72)),
    _box(-0.26, -0.1, 0.26, 0.12),
    _form((-0.16, 0.2), (0.16, 0.2), (0.07, 1), (-0.07, 1)),
)
_PENCIL: tuple[Shape, ...] = (
    _form((0, -1), (0.26, -0.36), (-0.26, -0.36)),
    Area(((0.1, -0.62), (0.2, -0.4), (-0.2, -0.4), (-0.1, -0.62)), Role.PAGE),
    _box(-0.26, -0.36, 0.26, 0.62),
    Stroke(((0, -0.3), (0, 0.56)), 0.08, Role.PAGE, wobble=0),
    _box(-0.26, 0.72, 0.26, 1),
)
_QUILL: tuple[Shape, ...] = (
    _form((0.1, -1), (0.44, -0.5), (0.4, 0), (0.1, 0.5), (-0.1, 0.5), (-0.36, 0.1), (-0.34, -0.4)),
    Stroke(((0.06, -0.8), (0, 0.48)), 0.09, Role.PAGE, wobble=0),
    Stroke(((0, 0.4), (-0.06, 1)), 0.12, Role.INK, wobble=0),
)
_NIB: tuple[Shape, ...] = (
    _form((0, -1), (0.42, 0), (0.28, 0.6), (-0.28, 0.6), (-0.42, 0)),
    Stroke(((0, -0.86), (0, -0.05)), 0.07, Role.PAGE, wobble=0),
    Disc((0, 0.06), 0.13, Role.PAGE),
    _box(-0.28, 0.7, 0.28, 1),
)
_RULER: tuple[Shape, ...] = (
    _box(-0.32, -1, 0.32, 1),
    *(
        _box(0.0 if number % 2 else -0.12, 0.4 * number - 0.84, 0.32, 0.4 * number - 0.76, Role.PAGE)
        for number in range(5)
    ),
)
_SET_SQUARE: tuple[Shape, ...] = (
    _form((-0.62, -0.9), (0.74, 0.8), (-0.62, 0.8)),
    Area(((-0.3, -0.1), (0.22, 0.5), (-0.3, 0.5)), Role.PAGE),
)
_AVATARS = (_CRAYON, _BRUSH, _PENCIL, _QUILL, _NIB, _RULER, _SET_SQUARE)
