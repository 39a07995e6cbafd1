"""How a seat is told apart, by shape before colour, and the same in every game: picture, message and text."""

from dataclasses import dataclass

from render.engine.scene import Area, Disc, Group, Ink, Mix, Point, Ring, Role, Shape, Stroke
from render.engine.theme import SEATS
from rules.core.game import Seat


@dataclass(frozen=True, slots=True)
class SeatMark:
    """A seat's `word` and `mark` in prose, its `sign` in messages and its `letter` on boards of plain text."""

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
    """The sign to set beside a member's mention: it shows the mark that the seat has in the pictures."""
    return SEAT_MARKS[seat].sign


def who(seat: Seat) -> str:
    """A seat in prose, like "the first player (ring)"."""
    return f"the {SEAT_MARKS[seat].word} ({SEAT_MARKS[seat].mark})"


def piece(name: str, seat: Seat, at: Point, radius: float, *, share: float = 1.0) -> Group:
    """A round piece of this seat with its mark; `share` below 1 fades it into the page."""
    body: Ink = SEATS[seat] if share == 1.0 else Mix(SEATS[seat], share)
    return Group(name, (Disc((0, 0), 1, body), *_MARKS[seat]), at, radius)


def marking(seat: Seat, at: Point, radius: float) -> Group:
    """The mark alone, as it lies in a piece of this radius."""
    return Group("", _MARKS[seat], at, radius)


def _bar(start: Point, end: Point, width: float = 0.13) -> Stroke:
    return Stroke((start, end), width, Role.PAGE, hand=0.4)


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
