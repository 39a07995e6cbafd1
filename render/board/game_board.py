"""The drawn board of a game, which each game registers by the type of its view."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import singledispatch
from math import dist

from render.board.seats import Item
from render.engine.scene import Group, Point, Shape
from rules.core.match import Observation
from rules.core.notation import Cell, read_cells


@dataclass(frozen=True, slots=True)
class Spot:
    """A point on a board, or a line through several; `reach` is the distance to the edge of what is drawn there.

    `apart` is True if the points are separate places instead of a line.
    """

    points: tuple[Point, ...]
    reach: float
    apart: bool = False

    @property
    def middle(self) -> Point:
        """The middle of the line, measured along it."""
        return self.along(0.5)

    def along(self, part: float) -> Point:
        """Return the point at a part of the length of the line."""
        steps = list(zip(self.points, self.points[1:], strict=False))
        left = part * sum(dist(*step) for step in steps)
        for (ax, ay), (bx, by) in steps:
            length = dist((ax, ay), (bx, by))
            if length >= left > 0:
                return ax + (bx - ax) * left / length, ay + (by - ay) * left / length
            left -= length
        return self.points[0]


def no_spot(_name: str) -> Spot | None:
    return None


def spot_through(points: Iterable[Point | None], reach: float, *, apart: bool = False) -> Spot | None:
    """Return the spot of these points, equal neighbours counting once; None if there is none or one is None."""
    found: list[Point] = []
    for point in points:
        if point is None:
            return None
        if not found or dist(found[-1], point) > 0:
            found.append(point)
    return Spot(tuple(found), reach, apart) if found else None


def spot_by_cells(
    width: int, height: int, at: Callable[[Cell], Point], reach: float
) -> Callable[[str], Spot | None]:
    """Return a function that finds a named cell, point or line on a board of `width` by `height`.

    A name is a cell or lattice point (`c4`) or a line through several (`c4-c7-f7`). The function returns None for other
    names.
    """

    def find(name: str) -> Spot | None:
        return spot_through((at(cell) for cell in _cells(name, width, height)), reach)

    return find


def _cells(name: str, width: int, height: int) -> tuple[Cell, ...]:
    """Return the cells of a canonical name; none if it is no such name or a cell is off the board."""
    try:
        cells = read_cells(name, "")
    except ValueError:
        return ()
    return cells if all(cell.column < width and cell.row < height for cell in cells) else ()


@dataclass(frozen=True, slots=True)
class Board:
    """A drawn board. Its shapes, labels included, lie between (0, 0) and (`width`, `height`) in units of its own.

    `ground` lies below the shapes, which also cover its texts. It is kept for the pictures that follow.
    `unit` is the largest size of a unit, in page units, so that a board of few cells does not grow too large.
    `scored` is True if the board itself shows the scores, so that the page need not.
    `note` says in a few words why a finished game is over.
    `trophy` stands beside the result of a finished game: a group from -1 to 1 in its own unit.
    `headline` is a line of large text above the board, which says what is next.
    `legend` is a line above or under the board that explains it, at most 850 page units wide. With `legend_below` it
    stays under the board while the game goes on, so that it is found in one place.
    `turn` is the middle of the room on the board for a line that says whose turn it is; None if there is no room.
    `correction` is a line below the legend that explains the marks of rejected moves or of an advice.
    `in_play` is the height of a board in play of the same game, in page units; 0 if it is that of this board.
    `spot` finds the spot of a canonical name: that of a move, a cell or another thing; None if it is not on this board.
    """

    width: float
    height: float
    unit: float
    shapes: tuple[Shape, ...]
    scored: bool = False
    note: str = ""
    trophy: Group | None = None
    headline: tuple[Item, ...] = ()
    legend: tuple[Item, ...] = ()
    legend_below: bool = False
    turn: Point | None = None
    correction: tuple[Item, ...] = ()
    spot: Callable[[str], Spot | None] = no_spot
    ground: tuple[Shape, ...] = ()
    in_play: float = 0.0

    def placed(self, at: Point, unit: float) -> tuple[Group, tuple[Group, ...]]:
        """Return the shapes, with this page point as their origin, and the ground below them."""
        return Group("board", self.shapes, at, unit), (
            Group("", self.ground, at, unit),
        ) if self.ground else ()


@singledispatch
def draw_board(view: object, seen: Observation) -> Board:
    """Return the board of `view`, which is always `seen.board`. Each game registers its own function."""
    raise LookupError(f"No picture is registered for {type(view).__name__}: add a module to render/games.")


@singledispatch
def whole_board(_view: object, _seen: Observation) -> Callable[[], Board] | None:
    """Return what draws the whole board with everything on it, on a large picture.

    None if the picture leaves nothing out, which is so for all games that register no function.
    """
    return None
