"""The moves, the state and the view of Maze, and what may be played."""

from dataclasses import dataclass, field
from typing import NamedTuple

from rules.core.bits import Bits, members
from rules.core.game import Seat, frozen, next_seat
from rules.core.notation import Cell
from rules.core.plane import Point
from rules.core.sections import Plan
from rules.core.walls import Wall, walls

Move = Wall | int
"""A wall to draw, or the number of a section to fill."""


@frozen
class MazeState:
    """The walls that can still be drawn.

    `untouched` is a set of `Walls.vertices`. `rooted` and `clear` are sets of `Walls.every`: `rooted` walls start in a
    touched vertex, and `clear` walls end in no touched vertex, pass through none and cross no wall. `plan` is None
    until every vertex is touched. Sections count from 0 here; `owners` holds the seat for each that is filled,
    `strings` those filled one after the other, the newest string last.
    """

    size: int
    untouched: Bits
    rooted: Bits
    clear: Bits
    points: tuple[int, ...]
    mover: Seat = 0
    walls: tuple[Wall, ...] = ()
    plan: Plan | None = field(default=None, compare=False)
    owners: tuple[Seat | None, ...] = ()
    unfilled: Bits = 0
    strings: tuple[tuple[int, ...], ...] = ()
    gone: frozenset[Seat] = frozenset()

    @property
    def string(self) -> tuple[int, ...]:
        """The newest string."""
        return self.strings[-1] if self.strings else ()

    @property
    def over(self) -> bool:
        return self.plan is not None and not self.unfilled

    def next_seat(self) -> Seat:
        """Return the seat after the mover that is not gone."""
        return next_seat(self.mover, len(self.points), self.gone)


class SectionView(NamedTuple):
    """A section: its corners counterclockwise, the centroid of its area, and the seat that has filled it."""

    corners: tuple[Point, ...]
    centre: Point
    owner: Seat | None


@dataclass(frozen=True, slots=True)
class MazeView:
    """The view of everyone, in board coordinates (a1 is (0, 0)); vertices as Cells, the boundary counts as drawn.

    `sections` (number i + 1 at index i) is empty until every vertex is touched. `choices`: the numbers that may be
    filled now; `strings`: those filled one after the other, the newest string last; `ended` when its last section has
    no unfilled neighbour, as those of all strings before. `gone`: the seats that left.
    """

    size: int
    walls: tuple[Wall, ...]
    untouched: tuple[Cell, ...]
    sections: tuple[SectionView, ...]
    choices: tuple[int, ...]
    strings: tuple[tuple[int, ...], ...]
    ended: bool
    points: tuple[int, ...]
    gone: frozenset[Seat]

    @property
    def string(self) -> tuple[int, ...]:
        """The newest string."""
        return self.strings[-1] if self.strings else ()


def segments(state: MazeState) -> tuple[Wall, ...]:
    """Return the walls that may be drawn."""
    return members(state.rooted & state.clear, walls(state.size).every)


def follow(state: MazeState) -> Bits:
    """Return the unfilled neighbours of the section filled last."""
    if state.plan is None or not state.string:
        return 0
    return state.plan.beside[state.string[-1]] & state.unfilled


def open_sections(state: MazeState) -> tuple[int, ...]:
    """Return the sections that may be filled."""
    return members(follow(state) or state.unfilled, range(len(state.owners))) if state.owners else ()


def touched(state: MazeState, vertex: Cell) -> bool:
    """Return True if a vertex (of the board or not) is on a line."""
    return bool(state.rooted & walls(state.size).starting.get(vertex, 0))
