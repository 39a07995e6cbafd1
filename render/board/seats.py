"""The marks of the seats, which differ in shape and not only in colour: the same in all games, messages and texts.

Lines of text may contain them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from render.engine import fonts
from render.engine.scene import Area, Disc, Face, Group, Ink, Mix, Point, Ring, Role, Shape, Stroke, Text
from render.engine.theme import SEATS
from rules.core.game import Seat


@dataclass(frozen=True, slots=True)
class SeatMark:
    """A seat in prose (`word` and `mark`), in messages (`sign`) and on boards of plain text (`letter`)."""

    word: str
    mark: str
    sign: str
    letter: str


SEAT_MARKS = (
    SeatMark("first player", "ring", "◎", "O"),
    SeatMark("second player", "bars", "≡", "="),
    SeatMark("third player", "triangle", "▲", "A"),
    SeatMark("fourth player", "cross", "✚", "+"),
    SeatMark("fifth player", "diamond", "◆", "D"),
    SeatMark("sixth player", "hatching", "▨", "/"),
)


def seat_mark(seat: Seat) -> str:
    """Return the sign that stands beside a member's mention and looks like the seat's mark in pictures."""
    return SEAT_MARKS[seat].sign


def who(seat: Seat) -> str:
    """Return a seat in prose, like "the first player (ring)"."""
    return f"the {SEAT_MARKS[seat].word} ({SEAT_MARKS[seat].mark})"


def with_names(text: str, names: Mapping[Seat, str]) -> str:
    """Return a text in which these names stand for their seats, like "Ada" for "the first player (ring)"."""
    for seat, name in names.items():
        text = text.replace(who(seat), name)
    return text


@lru_cache(maxsize=1024)
def piece(name: str, seat: Seat, at: Point, radius: float, *, share: float = 1.0) -> Group:
    """Return a round piece of this seat with its mark; a `share` below 1 makes its colour fainter."""
    body: Ink = SEATS[seat] if share == 1.0 else Mix(SEATS[seat], share)
    return Group(name, (Disc((0, 0), 1, body), *_MARKS[seat]), at, radius)


def marking(seat: Seat, at: Point, radius: float) -> Group:
    """Return the mark alone, as large as in a piece of this radius."""
    return Group("", _MARKS[seat], at, radius)


def _bar(start: Point, end: Point, width: float = 0.13) -> Stroke:
    return Stroke((start, end), width, Role.PAGE, wobble=0.4)


_MARKS: tuple[tuple[Shape, ...], ...] = (
    (Ring((0, 0), 0.5, 0.13, Role.PAGE),),
    tuple(_bar((-0.5, y), (0.5, y)) for y in (-0.34, 0, 0.34)),
    (Area(((0, -0.6), (0.54, 0.36), (-0.54, 0.36)), Role.PAGE),),
    (_bar((0, -0.5), (0, 0.5), 0.24), _bar((-0.5, 0), (0.5, 0), 0.24)),
    (Area(((0, -0.62), (0.46, 0), (0, 0.62), (-0.46, 0)), Role.PAGE),),
    tuple(
        _bar((-half + d, half + d), (half + d, -half + d))
        for d, half in ((-0.27, 0.28), (0, 0.42), (0.27, 0.28))
    ),
)
"""In a disc of radius 1."""


SLANTS: tuple[tuple[float, ...], ...] = ((), (0,), (60,), (0, 90), (45, 135), (45,))
"""The slants in degrees of the hatching of each seat's areas, which resembles its mark."""


@dataclass(frozen=True, slots=True)
class Item:
    """Shapes from x = 0 to `width`, in page units, around y = 0."""

    width: float
    shapes: tuple[Shape, ...] = ()


def text_item(text: str, size: float, ink: Ink = Role.INK, face: Face = Face.READ) -> Item:
    return Item(fonts.width(text, face, size), (Text((0, 0), text, size, ink, face, anchor="l"),))


def seat_item(name: str, seat: Seat, radius: float) -> Item:
    return Item(2 * radius, (piece(name, seat, (radius, 0), radius),))


def space(width: float) -> Item:
    return Item(width)


def line_width(items: Sequence[Item]) -> float:
    """Return the width of all items together."""
    return sum(item.width for item in items)


def set_line(items: Sequence[Item], left: Point) -> tuple[Group, ...]:
    """Return the items from left to right, beginning at `left`."""
    groups = []
    x, y = left
    for item in items:
        groups.append(Group("", item.shapes, (x, y)))
        x += item.width
    return tuple(groups)


def set_centred(items: Sequence[Item], middle: Point) -> tuple[Group, ...]:
    return set_line(items, (middle[0] - line_width(items) / 2, middle[1]))
