"""Playing cards: red diamonds and black clubs, which differ in shape and letter; backs; outlines of missing cards."""

from dataclasses import dataclass

from render.engine.hatch import hatch
from render.engine.scene import Area, Disc, Group, Mix, Point, Role, Shape, Stroke, Text
from render.engine.theme import SEATS
from rules.core.game import Seat

LETTERS = {"R": "red", "B": "black"}


@dataclass(frozen=True, slots=True)
class CardSize:
    """The size of cards, which are drawn around (0, 0)."""

    width: float
    height: float

    def face(self, name: str, card: str, at: Point) -> Group:
        """A card that lies face up: R or B."""
        letter = max(23.0, 0.3 * self.height)
        top = letter * 0.9 + 2
        ink = Role.SUIT if card == "R" else Role.DEEP
        room = self.height - top
        size = min(0.36 * self.width, 0.4 * room)
        suit = Group("", _SUITS[card], (0, self.height / 2 - room / 2 - 0.06 * self.height), size)
        text = Text((0, top / 2 - self.height / 2 + 4), card, letter, ink)
        return Group(name, (*self._blank(), suit, text), at)

    def back(self, name: str, owner: Seat, at: Point) -> Group:
        """A card that lies face down."""
        inner = self._outline(0.12 * self.width)
        lines = (
            line
            for slant in (45, 135)
            for line in hatch([inner], 9, slant, 2, Mix(SEATS[owner], 0.75), hand=0)
        )
        edge = Stroke(self._outline(0), 3, SEATS[owner], hand=0.4, closed=True)
        return Group(name, (Area(self._outline(0), Mix(SEATS[owner], 0.25)), *lines, edge), at)

    def empty(self, name: str, at: Point) -> Group:
        """The outline of a card that is not laid yet."""
        return Group(name, (Stroke(self._outline(2), 2.5, Role.GRID, hand=0.5, closed=True),), at)

    def _blank(self) -> tuple[Shape, ...]:
        outline = self._outline(0)
        return Area(outline, Role.PALE), Stroke(outline, 2.5, Role.DEEP, hand=0.4, closed=True)

    def _outline(self, inset: float) -> tuple[Point, ...]:
        """A rectangle with its corners cut off."""
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
