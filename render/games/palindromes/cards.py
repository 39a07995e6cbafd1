"""Playing cards: red diamonds and black clubs, which differ in shape; backs; outlines of missing cards."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from render.board.areas import hatch
from render.engine.scene import Area, Disc, Group, Ink, Mix, Point, Ring, Role, Shape, Stroke
from render.engine.theme import SEATS
from rules.core.game import Seat
from rules.games.palindromes import Row

LETTERS = {"R": "red", "B": "black"}


@dataclass(frozen=True, slots=True)
class CardSize:
    """The size of cards, which are drawn around (0, 0)."""

    width: float
    height: float

    def face(self, name: str, card: str, at: Point) -> Group:
        """Return a card that lies face up: R or B."""
        return Group(
            name,
            (*self._blank(), Group("", _SUITS[card], (0, 0), min(0.36 * self.width, 0.4 * self.height))),
            at,
        )

    def back(self, name: str, owner: Seat, at: Point) -> Group:
        """Return a card that lies face down."""
        return Group(name, _back(self, owner), at)

    def empty(self, name: str, at: Point) -> Group:
        """Return the outline of a card that is not laid yet."""
        return Group(name, (Stroke(self.outline(2), 2.5, Role.GRID, wobble=0.5, closed=True),), at)

    def _blank(self) -> tuple[Shape, ...]:
        outline = self.outline(0)
        return Area(outline, Role.PALE), Stroke(outline, 2.5, Role.DEEP, wobble=0.4, closed=True)

    def outline(self, inset: float) -> tuple[Point, ...]:
        """Return a rectangle with its corners cut off."""
        x, y = self.width / 2 - inset, self.height / 2 - inset
        cut = 0.12 * self.width
        return (
            (cut - x, -y),
            (x - cut, -y),
            (x, cut - y),
            (x, y - cut),
            (x - cut, y),
            (cut - x, y),
            (-x, y - cut),
            (-x, cut - y),
        )


@lru_cache(maxsize=32)
def _back(card: CardSize, owner: Seat) -> tuple[Shape, ...]:
    """Return the tint, the hatching and the edge of a card that lies face down."""
    outline, ink = card.outline(0), Mix(SEATS[owner], 0.75)
    inner = [card.outline(0.12 * card.width)]
    lines = (line for slant in (45, 135) for line in hatch(inner, 9, slant, 2, ink, wobble=0))
    edge = Stroke(outline, 3, SEATS[owner], wobble=0.4, closed=True)
    return Area(outline, Mix(SEATS[owner], 0.25)), *lines, edge


_SUITS: dict[str, tuple[Shape, ...]] = {
    "R": (
        Area(
            (
                (0, -1),
                (0.3, -0.42),
                (0.74, 0),
                (0.3, 0.42),
                (0, 1),
                (-0.3, 0.42),
                (-0.74, 0),
                (-0.3, -0.42),
            ),
            Role.SUIT,
        ),
    ),
    "B": (
        Disc((0, -0.5), 0.44, Role.DEEP),
        Disc((-0.5, 0.14), 0.44, Role.DEEP),
        Disc((0.5, 0.14), 0.44, Role.DEEP),
        Area(((-0.1, -0.3), (0.1, -0.3), (0.14, 0.4), (0.34, 0.92), (-0.34, 0.92), (-0.14, 0.4)), Role.DEEP),
    ),
}
"""The shapes of a diamond and a club, from -1 to 1."""


_PIECES = 24
_SINGLE = 10.0
"""The radius of the ring under a card that is a palindrome by itself."""


@dataclass(frozen=True, slots=True)
class Found:
    """The palindromes that `seat` has found in the other row and missed, and the one found last."""

    seat: Seat
    names: tuple[Row, ...]
    missed: tuple[Row, ...]
    newest: Row | None


@dataclass(frozen=True, slots=True)
class Bow:
    """The lower half of an ellipse through (-half, 0), (0, depth) and (half, 0)."""

    half: float
    depth: float

    def points(self, start: float = 0.0, end: float = 1.0) -> tuple[Point, ...]:
        """Return the part between two shares of it, from the left."""
        pieces = max(2, round(_PIECES * (end - start)))
        angles = (math.pi * (start + (end - start) * step / pieces) for step in range(pieces + 1))
        return tuple((-self.half * math.cos(angle), self.depth * math.sin(angle)) for angle in angles)


def height_of(length: int, cards: int, depth: float) -> float:
    """Return the height of the curve of a palindrome of `length` cards; that of all `cards` cards is `depth` high."""
    return depth * math.pow(max(0, length - 1) / (cards - 1), 0.7)


def brackets(cards: Row, found: Found, pitch: float, first: Point, depth: float) -> Iterator[Shape]:
    """Yield a curve for every palindrome, at most `depth` high. `first` is the point under the first card."""
    hung = []
    for name, start in spread(cards, (*found.names, *found.missed)):
        across = len(name) - 1
        at = first[0] + (start + across / 2) * pitch, first[1]
        hung.append((name, at, Bow(across / 2 * pitch, height_of(len(name), len(cards), depth))))
    tint = Mix(SEATS[found.seat], 0.25)
    for name, at, bow in hung:
        if name in found.names:
            yield Group("", (Area(bow.points(), tint),), at)
    for name, at, bow in hung:
        if name in found.names:
            yield from _found(name, found, at, bow)
        else:
            yield Group(f"missed {found.seat} {name}", tuple(_missed(bow)), at)


def _found(name: Row, found: Found, at: Point, bow: Bow) -> Iterator[Group]:
    ink = SEATS[found.seat]
    if name == found.newest:
        yield Group("last", tuple(_line(bow, 14, Mix(Role.ACCENT, 0.75))), at)
    ends = (Disc((-bow.half, 0), 5.5, ink), Disc((bow.half, 0), 5.5, ink))
    yield Group(f"found {found.seat} {name}", (*_line(bow, 4.5, ink), *ends), at)


def _missed(bow: Bow) -> Iterator[Shape]:
    if bow.half == 0:
        yield Ring((0, 0), _SINGLE, 3, Role.MUTED, dashes=7)
    dashes = max(4, round(2 * (bow.half + bow.depth) / 18)) if bow.half else 0
    for dash in range(dashes):
        yield Stroke(bow.points((dash + 0.25) / dashes, (dash + 0.75) / dashes), 3, Role.MUTED, wobble=0)


def _line(bow: Bow, width: float, ink: Ink) -> Iterator[Shape]:
    """Yield the curve, or a ring for a palindrome of one card."""
    if bow.half == 0:
        yield Ring((0, 0), _SINGLE, width, ink)
    else:
        yield Stroke(bow.points(), width, ink, wobble=0)


def spread(cards: Row, names: tuple[Row, ...]) -> Iterator[tuple[Row, int]]:
    """Yield every palindrome with an index in the row at which it stands and where few others begin and end."""
    busy = [0] * len(cards)
    for name in sorted(names, key=len, reverse=True):
        spots = [start for start in range(len(cards)) if cards.startswith(name, start)]
        start = min(spots, key=lambda spot: (busy[spot] + busy[spot + len(name) - 1], spot))
        busy[start] += 1
        busy[start + len(name) - 1] += 1
        yield name, start
