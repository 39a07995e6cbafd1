"""Polygons & Dots: Leroy Quet, Games Conceived, 19 September 2008."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise, permutations
from math import gcd
from types import MappingProxyType
from typing import NamedTuple

from rules.core.bits import Bits, members
from rules.core.errors import Ambiguous, Illegal, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet, frozen
from rules.core.lattice import board_turns, cells, check_on_board
from rules.core.notation import Cell, Example, read_cell, read_cells
from rules.core.plane import Segment, Walk, faces, orientation
from rules.core.prompt import CellPrompt, SegmentPrompt


class Join(NamedTuple):
    """A segment from the dot joined last to another."""

    start: Cell
    end: Cell


Move = Cell | Join


@frozen
class PolygonsState:
    """`dots` in the order placed, `path` in the order joined.

    `barred` are the points (in board order) where no dot may go any more.

    Placing is over once every dot is down or every point is barred.
    """

    each: int
    size: int
    dots: tuple[Cell, ...] = ()
    path: tuple[Cell, ...] = ()
    barred: Bits = 0

    @property
    def placing(self) -> bool:
        return len(self.dots) < 2 * self.each and self.barred != _everywhere(self.size)

    @property
    def over(self) -> bool:
        return not self.placing and len(self.path) == len(self.dots)

    @property
    def mover(self) -> Seat:
        # Whoever placed last, seat 0 draws the first segment; that one joins two dots.
        return len(self.dots) % 2 if self.placing else max(len(self.path) - 1, 0) % 2

    @property
    def open(self) -> tuple[Cell, ...]:
        """The dots not yet joined, in board order."""
        rest = set(self.dots).difference(self.path)
        return tuple(sorted(rest, key=lambda dot: (-dot.row, dot.column)))


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the finished drawing, its boundary counterclockwise from corner to corner, and whose point it is."""

    walk: Walk
    owner: Seat

    @property
    def sides(self) -> int:
        return len(self.walk)


@dataclass(frozen=True, slots=True)
class PolygonsView:
    """The view of everyone. Dot i was placed by seat i % 2.

    `choices` are the points where a dot may go, or else the dots that may be joined next; `regions` are there once
    the path is closed, and `path` then leads back to its first dot.
    """

    size: int
    each: int
    dots: tuple[Cell, ...]
    path: tuple[Cell, ...]
    choices: tuple[Cell, ...]
    regions: tuple[Region, ...]


class Polygons(Game[PolygonsState, Move]):
    """Place dots, join them into one closed path, and count the sides of what it encloses: odd against even."""

    key = "polygons"
    sheet = Sheet(
        title="Polygons & Dots",
        author="Leroy Quet",
        year=2008,
        place="published on his blog Games Conceived, 19 September 2008",
        pitch="One closed path, many polygons: one player collects the odd-sided ones, the other the even-sided.",
        goal="The first player gets a point for each polygon with an odd number of sides, the second for each with an"
        " even number. Have more points in the end.",
        play=(
            "First take turns to place dots, the same number each, so that no three dots are on one straight line.",
            "Then the first player joins any two dots by a straight segment.",
            "After that, each in turn joins the dot joined last to one that is not joined yet. Crossing is allowed.",
        ),
        end="When all dots are joined, the last is joined to the first, and the polygons of this closed path count:"
        " their corners are dots and crossing points, and nothing runs through their inside. Equal points are a draw.",
        example="Five dots joined to a pentagram make six polygons: five triangles and a pentagon in the middle, all"
        " odd; that would be 6 to 0 for the first player.",
        house=(
            "The paper is a square lattice, and dots go on its points.",
            "When no point is left for another dot, placing ends early.",
            (
                "The sides of a polygon are all edges met on a walk along its whole boundary. Where a loop of the path"
                " lies inside a polygon and touches its outer boundary in a point, the edges of the loop count too."
            ),
        ),
    )
    options = (
        Option("dots", 4, 2, 6, "dots for each player"),
        Option("size", 24, 10, 26, "points along each side of the paper"),
    )
    sizes = MappingProxyType(
        {
            "quick": {"dots": 3, "size": 10},
            "standard": {"dots": 5, "size": 12},
            "long": {"dots": 4, "size": 24},
        }
    )

    def start(self, options: Mapping[str, int], players: int) -> PolygonsState:
        return PolygonsState(options["dots"], options["size"])

    def to_move(self, state: PolygonsState) -> tuple[Seat, ...]:
        return () if state.over else (state.mover,)

    def phase(self, state: PolygonsState) -> str:
        return "place" if state.placing else "join"

    def legal(self, state: PolygonsState) -> tuple[Move, ...]:
        if state.placing:
            return _free(state)
        if state.path:
            return tuple(Join(state.path[-1], dot) for dot in state.open)
        return tuple(Join(start, end) for start, end in permutations(state.open, 2))

    def parse(self, state: PolygonsState, seat: Seat | None, text: str) -> Move:
        match _cells(text, lambda: self._example(state), state.placing):
            case [cell] if state.placing:
                return cell
            case [cell] if state.path:
                return Join(state.path[-1], cell)
            case [cell] if cell in state.dots:
                raise Ambiguous(text, (self.format(Join(dot, cell)) for dot in state.open if dot != cell))
            case [start, end]:
                return Join(start, end)
        wanted = "name the one point for your dot" if state.placing else "name the two dots to join"
        raise Unreadable(f"{shown(text)} is no move here; {wanted}, like `{self._example(state)}`.")

    def format(self, move: Move) -> str:
        return str(move) if isinstance(move, Cell) else f"{move.start}-{move.end}"

    def apply(self, state: PolygonsState, seat: Seat | None, move: Move) -> PolygonsState:
        if isinstance(move, Cell):
            _check_dot(state, move)
            barred = state.barred | 1 << _place(state.size, move)
            for dot in state.dots:
                barred |= _line(state.size, dot, move)
            return replace(state, dots=(*state.dots, move), barred=barred)
        _check_join(state, move)
        return replace(state, path=(*state.path, move.end) if state.path else move)

    def scores(self, state: PolygonsState) -> tuple[int, int] | None:
        return self.points_so_far(state) if state.over else None

    def points_so_far(self, state: PolygonsState) -> tuple[int, int]:
        found = regions(state.path) if state.over else enclosed(state.path)
        odd = sum(region.owner == 0 for region in found)
        return odd, len(found) - odd

    def winners(self, state: PolygonsState) -> tuple[Seat, ...] | None:
        scores = self.scores(state)
        return None if scores is None else tuple(seat for seat in (0, 1) if scores[seat] == max(scores))

    def position(self, state: PolygonsState) -> Hashable:
        return state.each, state.size, frozenset(state.dots), state.path

    def canonical(self, state: PolygonsState) -> object:
        dots, path = ([dot.row * state.size + dot.column for dot in it] for it in (state.dots, state.path))
        return min(
            (sorted(turn[place] for place in dots), [turn[place] for place in path])
            for turn in board_turns(state.size, state.size)
        )

    def observe(self, state: PolygonsState, seat: Seat | None) -> PolygonsView:
        return PolygonsView(
            size=state.size,
            each=state.each,
            dots=state.dots,
            path=state.path,
            choices=_free(state) if state.placing else state.open,
            regions=regions(state.path) if state.over else (),
        )

    def prompt(self, state: PolygonsState, seat: Seat) -> CellPrompt | SegmentPrompt:
        choices = tuple(self.format(move) for move in self.legal(state))
        aim = f"You collect {_COLLECTS[seat]}-sided polygons."
        if state.placing:
            return CellPrompt(f"Place a dot, no three in line. {aim}", choices[0], choices, noun="point")
        what = (
            f"a segment from {state.path[-1]} to a free dot"
            if state.path
            else "the first segment between any two dots"
        )
        return SegmentPrompt(f"Draw {what}. {aim}", choices[0], choices, noun="segment")

    def _example(self, state: PolygonsState) -> str:
        return self.format(next(iter(self.legal(state)), Cell(0, 0)))


_COLLECTS = ("odd", "even")
"""The parity of the polygons that each seat collects."""


def regions(path: tuple[Cell, ...]) -> tuple[Region, ...]:
    """Return the regions that the closed path cuts out.

    The path holds together, so each region has one boundary walk: a loop inside it that touches nothing cannot be.
    """
    return enclosed((*path, path[0]))


@lru_cache(maxsize=256)
def enclosed(path: tuple[Cell, ...]) -> tuple[Region, ...]:
    """Return the regions that a path cuts out, closed or not.

    A segment that sticks out into a region counts on either side of it, as on any walk along the boundary.
    """
    segments: list[Segment] = list(pairwise(path))
    return tuple(Region(face.walks[0], 1 - len(face.walks[0]) % 2) for face in faces(segments))


def _cells(text: str, example: Example, placing: bool) -> tuple[Cell, ...]:
    """Return the places that someone named; of a single point, letter and number may be further apart, like `c-4`."""
    try:
        return read_cells(text, example, "point")
    except Unreadable:
        if not placing:
            raise
        return (read_cell(text, example, "point"),)


def _check_dot(state: PolygonsState, dot: Cell) -> None:
    if not state.placing:
        raise Illegal("No more dots are placed: name two dots to join.", rule="phase")
    check_on_board(dot, state.size, state.size)
    if dot in state.dots:
        raise Illegal(
            f"There is a dot on {dot} already; choose a free point.", rule="taken", marks=[str(dot)]
        )
    if state.barred >> _place(state.size, dot) & 1:
        pairs = combinations(state.dots, 2)
        one, other = next(pair for pair in pairs if orientation(*pair, dot) == 0)
        raise Illegal(
            f"{dot} lies in line with {one} and {other}; no three dots may be in line.",
            rule="three in line",
            marks=[str(one), str(other)],
        )


def _check_join(state: PolygonsState, move: Join) -> None:
    if state.placing:
        raise Illegal("First the dots are placed: name a point for yours.", rule="phase")
    for dot in move:
        if dot not in state.dots:
            raise Illegal(
                f"There is no dot on {dot}; a segment joins two dots.", rule="no dot", marks=[str(dot)]
            )
    if state.path and move.start != state.path[-1]:
        last = str(state.path[-1])
        raise Illegal(
            f"Your segment starts at {last}, the dot joined last, not at {move.start}.",
            rule="start",
            marks=[last],
        )
    if move.start == move.end:
        raise Illegal(
            f"A segment needs two dots, not {move.end} twice.", rule="same dot", marks=[str(move.end)]
        )
    if move.end in state.path:
        free = ", ".join(str(dot) for dot in state.dots if dot not in state.path)
        raise Illegal(
            f"{move.end} is joined already; join one of {free}.", rule="joined", marks=[str(move.end)]
        )


def _free(state: PolygonsState) -> tuple[Cell, ...]:
    """Return the points that are not barred, in board order."""
    return members(_everywhere(state.size) ^ state.barred, cells(state.size, state.size))


def _everywhere(size: int) -> Bits:
    return (1 << size**2) - 1


def _place(size: int, point: Cell) -> int:
    """Return the bit of a point in board order: along the rows from the top, with the highest bit first."""
    return size * point.row + size - 1 - point.column


@lru_cache(maxsize=1 << 12)
def _line(size: int, one: Cell, other: Cell) -> Bits:
    """Return all lattice points on the straight line through two of them."""
    dx, dy = other.column - one.column, other.row - one.row
    common = gcd(dx, dy)
    dx, dy = dx // common, dy // common
    ahead = min(_room(one.column, dx, size), _room(one.row, dy, size))
    behind = min(_room(one.column, -dx, size), _room(one.row, -dy, size))
    place, step = _place(size, one), size * dy - dx
    line = 0
    for number in range(-behind, ahead + 1):
        line |= 1 << place + number * step
    return line


def _room(at: int, step: int, size: int) -> int:
    """Return the number of such steps that stay on the lattice."""
    return (size - 1 - at) // step if step > 0 else at // -step if step else size
