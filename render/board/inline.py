"""Lines of items side by side: text, seat marks and spaces."""

from collections.abc import Sequence
from dataclasses import dataclass

from render.board.seats import piece
from render.engine import fonts
from render.engine.scene import Face, Group, Ink, Point, Role, Shape, Text
from rules.core.game import Seat


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
