"""Scenes: shapes in the units of their board, coloured by role. No pixels, no colours.

Shapes are named tuples, because they are made, compared and looked up by the hundred for every picture.

Points are (x, y) with y growing downwards. Lengths, text sizes included, are in units of the group they are in; the
outermost group is the page, whose unit is one pixel of the finished picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

Point = tuple[float, float]

SMALLEST_TEXT = 22.0
"""Page units. Smaller text cannot be read when a 900 wide picture is shown 400 wide."""


class Role(Enum):
    """The purpose of a colour. A theme gives every role its colour."""

    PAGE = auto()
    INK = auto()
    MUTED = auto()
    """Small text and marks of less importance."""
    GRID = auto()
    """Faint lines, never the only sign of something."""
    ACCENT = auto()
    """The highlight of the last move and the like."""
    FORBIDDEN = auto()
    PATCH = auto()
    """A surface on the page: sand, a card."""
    GROOVE = auto()
    """Scratches in a patch."""
    RIDGE = auto()
    """The bright edge of a groove."""
    PALE = auto()
    """Bright things on a patch, like bone."""
    DEEP = auto()
    """Dark things on a pale one, like an eye socket."""
    MEAT = auto()
    """A meatball."""
    CRUST = auto()
    """The darker parts of a meatball."""
    PASTA = auto()
    SUIT = auto()
    """The red of a card."""
    CORRECTION = auto()
    """The pencil that marks a rejected move, always on an edge of the page's colour."""
    SEAT_1 = auto()
    SEAT_2 = auto()
    SEAT_3 = auto()
    SEAT_4 = auto()
    SEAT_5 = auto()
    SEAT_6 = auto()

    __hash__ = object.__hash__
    """Quicker than that of other enumerations: every shape that is looked up has a role."""


class Mix(NamedTuple):
    """`share` (0 to 1) of one role's colour over another's: a flat tint, so that the palette stays small."""

    role: Role
    share: float
    over: Role = Role.PAGE


Ink = Role | Mix


class Face(Enum):
    """Type faces: TITLE for titles only, READ for everything else."""

    TITLE = auto()
    READ = auto()

    __hash__ = object.__hash__


class Stroke(NamedTuple):
    """A line through `points` with round ends. `wobble` 1 trembles like a line drawn by hand, 0 is ruled."""

    points: tuple[Point, ...]
    width: float
    ink: Ink
    wobble: float = 1.0
    closed: bool = False


class Area(NamedTuple):
    """A filled polygon; `wobble` as for a stroke."""

    points: tuple[Point, ...]
    ink: Ink
    wobble: float = 0.0


class Disc(NamedTuple):
    at: Point
    radius: float
    ink: Ink


class Dots(NamedTuple):
    """Equal discs around `points`: quicker than single discs, of which there may be hundreds."""

    points: tuple[Point, ...]
    radius: float
    ink: Ink


class Ring(NamedTuple):
    """A circle line of this `width`, centred on the `radius`; `dashes` above 0 cuts it into that many dashes."""

    at: Point
    radius: float
    width: float
    ink: Ink
    dashes: int = 0
    wobble: float = 0.0


class Text(NamedTuple):
    """Words, `size` high (the em), centred on `at` unless `anchor` is "l" or "r" (their left or right end there).

    Text is drawn after all other shapes of a scene, so nothing covers it.
    """

    at: Point
    words: str
    size: float
    ink: Ink = Role.INK
    face: Face = Face.READ
    anchor: str = "m"

    def placed(self, origin: Point, scale: float) -> "Text":
        """Return the text in page units; `origin` and `scale` are those of its group."""
        at = origin[0] + self.at[0] * scale, origin[1] + self.at[1] * scale
        return Text(at, self.words, self.size * scale, self.ink, self.face, self.anchor)


class Group(NamedTuple):
    """Shapes that belong together, in units of their own: a unit is `scale` units of the enclosing group, origin `at`.

    `name` is what the rules call it ("stone 7", "choice c4", "last"), for tests to find; "" for decoration.
    """

    name: str
    shapes: tuple["Shape", ...]
    at: Point = (0.0, 0.0)
    scale: float = 1.0


Shape = Stroke | Area | Disc | Dots | Ring | Text | Group


@dataclass(frozen=True, slots=True)
class Scene:
    """A page of `width` by `height` units (pixels of the finished picture).

    The `ground` lies below the other shapes, which also cover its texts. It is the same in all positions of a game.
    """

    width: int
    height: int
    shapes: tuple[Shape, ...]
    ground: tuple[Shape, ...] = ()

    def placed(self) -> Iterator[tuple[Shape, Point, float]]:
        """Yield every shape, groups before their shapes, with the page point of its origin and its scale."""
        yield from _placed((*self.ground, *self.shapes), (0.0, 0.0), 1.0)

    def named(self) -> dict[str, Point]:
        """Return the named groups in drawing order, each with the page point of its origin.

        Raises ValueError if two groups have the same name.
        """
        found: dict[str, Point] = {}
        for shape, (x, y), scale in self.placed():
            if isinstance(shape, Group) and shape.name:
                if shape.name in found:
                    raise ValueError(
                        f"Two groups of this scene are named {shape.name!r}; names must be unique."
                    )
                found[shape.name] = (x + shape.at[0] * scale, y + shape.at[1] * scale)
        return found

    def texts(self) -> Iterator[Text]:
        """Yield all texts, in page units."""
        for shape, origin, scale in self.placed():
            if isinstance(shape, Text):
                yield shape.placed(origin, scale)


def _placed(shapes: tuple[Shape, ...], origin: Point, scale: float) -> Iterator[tuple[Shape, Point, float]]:
    for shape in shapes:
        yield shape, origin, scale
        if isinstance(shape, Group):
            inner = (origin[0] + shape.at[0] * scale, origin[1] + shape.at[1] * scale)
            yield from _placed(shape.shapes, inner, scale * shape.scale)


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    """Return the four corners of a rectangle."""
    return (left, top), (right, top), (right, bottom), (left, bottom)
