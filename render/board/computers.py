"""Computer players in pictures: a line with their seats, an avatar for each level, and their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from render.board.seats import Item, line_width, seat_item, space, text_item
from render.engine.scene import Area, Disc, Group, Point, Role, Shape, Stroke, rectangle
from rules.core.game import Seat

_WIDEST = 800
"""Page units that one line may take."""


@dataclass(frozen=True, slots=True)
class ComputerSeat:
    """A seat of a computer player, with its level from 1 to 5 and its name in plain letters."""

    seat: Seat
    level: int
    name: str


def computer_lines(computers: Sequence[ComputerSeat]) -> list[list[Item]]:
    """Return as many lines as the computer players of a match need."""
    lines: list[list[Item]] = []
    for computer in computers:
        items = [
            seat_item(f"computer {computer.seat}", computer.seat, 22),
            space(14),
            Item(40, (avatar(computer.level, (20, 0), 26),)),
            space(10),
            text_item(f"{computer.name}, computer", 30, Role.MUTED),
        ]
        if lines and line_width(lines[-1]) + 44 + line_width(items) <= _WIDEST:
            lines[-1] += [space(44), *items]
        else:
            lines.append(items)
    return lines


def avatar(level: int, at: Point, radius: float) -> Group:
    """Return the writing tool that stands for a level: a crayon, a brush, a pencil, a quill or a nib."""
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
_AVATARS = (_CRAYON, _BRUSH, _PENCIL, _QUILL, _NIB)
