"""A grid of unit squares cut into sections by straight walls between lattice points, exactly.

Lengths inside a square are counted in parts, so many to the unit that every wall meets every grid line in a whole
number of them; so nothing is ever rounded, and only centres need Fractions.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from rules.core.bits import Bits, bit
from rules.core.game import frozen, kept
from rules.core.lattice import cells
from rules.core.notation import Cell
from rules.core.plane import Point

Chord = tuple[int, int]
"""A wall's way through a square, from rim to rim: parts along the rim, counterclockwise from the bottom left corner."""


class Edge(NamedTuple):
    """A side of a square: the lattice point at its lower or left end, and whether it goes up from there."""

    start: Cell
    up: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a square. Corners in parts from the bottom left corner of the square, counterclockwise.

    `borders` are the parts of the square's rim that it has, each as a side (0 bottom, 1 right, 2 top, 3 left) and
    the number of the part on that side, counted from the lower or left end.
    """

    corners: tuple[tuple[int, int], ...]
    centre: tuple[Fraction, Fraction]
    borders: tuple[tuple[int, int], ...]


@frozen
class Section:
    """A region that no grid line and no wall divides, `parts` to the unit."""

    square: Cell
    piece: Piece
    parts: int

    @kept
    def corners(self) -> tuple[Point, ...]:
        """Counterclockwise, in board coordinates."""
        column, row = self.square
        return tuple(
            (column + Fraction(x, self.parts), row + Fraction(y, self.parts)) for x, y in self.piece.corners
        )

    @kept
    def corner_sum(self) -> tuple[int, int, int]:
        """The number of corners, and the sums of their columns and rows in parts.

        Sections are convex, so the mean of the corners is inside and tells each section from all others.
        """
        column, row = self.square
        count, left, below = len(self.piece.corners), column * self.parts, row * self.parts
        x, y = (sum(values) for values in zip(*self.piece.corners, strict=True))
        return count, count * left + x, count * below + y

    @kept
    def centre(self) -> Point:
        """The centroid of the area."""
        x, y = self.piece.centre
        return self.square.column + x / self.parts, self.square.row + y / self.parts


@dataclass(frozen=True, slots=True)
class Plan:
    """All sections: by square in board order, within a square by the centroid, the higher and then the further left.

    `beside[i]` is the set (as bits) of those that share with section i a part of a grid line that no wall covers.
    """

    sections: tuple[Section, ...]
    beside: tuple[Bits, ...]


def plan(size: int, walls: Iterable[tuple[Cell, Cell]]) -> Plan:
    """Return the sections of a grid of `size` by `size` squares. The walls may meet in lattice points only."""
    parts = lcm(*range(1, size + 1))
    chords: dict[Cell, list[Chord]] = {square: [] for square in cells(size, size)}
    covered: set[Edge] = set()
    for start, end in walls:
        through, along = way(start, end, parts)
        covered.update(along)
        for square, chord in through:
            chords[square].append(chord)
    sections: list[Section] = []
    on_edges: dict[tuple[Edge, int], list[int]] = {}
    for square, cuts in chords.items():
        sides = _sides(square)
        for piece in pieces(parts, tuple(sorted(cuts))):
            for side, place in piece.borders:
                on_edges.setdefault((sides[side], place), []).append(len(sections))
            sections.append(Section(square, piece, parts))
    beside = [0] * len(sections)
    for (edge, _), both in on_edges.items():
        # A wall that meets an edge goes on beyond it, so the squares on both its sides see the same borders.
        if len(both) == 2 and edge not in covered:
            one, other = both
            beside[one] |= bit(other, len(sections))
            beside[other] |= bit(one, len(sections))
    return Plan(tuple(sections), tuple(beside))


@cache
def _sides(square: Cell) -> tuple[Edge, Edge, Edge, Edge]:
    """Return the bottom, right, top and left side."""
    column, row = square
    right, above = Cell(column + 1, row), Cell(column, row + 1)
    return Edge(square, False), Edge(right, True), Edge(above, False), Edge(square, True)


@cache
def way(start: Cell, end: Cell, parts: int) -> tuple[tuple[tuple[Cell, Chord], ...], tuple[Edge, ...]]:
    """Return the squares that a wall cuts, each with the chord in it, or the edges that it covers."""
    (ax, ay), (bx, by) = sorted((start, end))
    if ax == bx:
        return (), tuple(Edge(Cell(ax, row), True) for row in range(ay, by))
    if ay == by:
        return (), tuple(Edge(Cell(column, ay), False) for column in range(ax, bx))
    # All points in which it meets grid lines, in parts; they divide evenly by the choice of `parts`.
    meets = {
        (column * parts, ay * parts + (column - ax) * (by - ay) * parts // (bx - ax))
        for column in range(ax, bx + 1)
    }
    meets |= {
        (ax * parts + (row - ay) * (bx - ax) * parts // (by - ay), row * parts)
        for row in range(min(ay, by), max(ay, by) + 1)
    }
    through = []
    for (px, py), (qx, qy) in pairwise(sorted(meets)):
        square = Cell(min(px, qx) // parts, min(py, qy) // parts)
        column, row = square.column * parts, square.row * parts
        rim = sorted((_along(px - column, py - row, parts), _along(qx - column, qy - row, parts)))
        through.append((square, (rim[0], rim[1])))
    return tuple(through), ()


def _along(x: int, y: int, parts: int) -> int:
    """Return the distance along the rim of a square to a point on it, in parts."""
    if y == 0:
        return x
    if x == parts:
        return parts + y
    return 3 * parts - x if y == parts else 4 * parts - y


def _point(along: int, parts: int) -> tuple[int, int]:
    side, rest = divmod(along, parts)
    return ((rest, 0), (parts, rest), (parts - rest, parts), (0, parts - rest))[side]


@lru_cache(maxsize=1 << 11)
def pieces(parts: int, chords: tuple[Chord, ...]) -> tuple[Piece, ...]:
    """Return the pieces of a square, the higher and then the further left first. The chords meet in corners only."""
    rim = sorted({0, parts, 2 * parts, 3 * parts}.union(*chords))
    pieces = [rim]
    for low, high in chords:
        whole = next(piece for piece in pieces if low in piece and high in piece)
        pieces.remove(whole)
        first, last = whole.index(low), whole.index(high)
        pieces += [whole[first : last + 1], whole[: first + 1] + whole[last:]]
    found = [_piece(piece, rim, parts) for piece in pieces]
    return tuple(sorted(found, key=lambda piece: (-piece.centre[1], piece.centre[0])))


def _piece(places: list[int], rim: list[int], parts: int) -> Piece:
    """Return the piece with its corners at these places of the rim; `rim` holds the corners of all pieces."""
    corners = tuple(_point(place, parts) for place in places)
    borders = []
    for place, following in pairwise((*places, places[0])):
        number = rim.index(place)
        if following != rim[(number + 1) % len(rim)]:
            continue  # a chord
        side = place // parts
        on_side = [other for other in rim if other // parts == side]
        count = on_side.index(place)
        # The rim is walked rightwards and upwards on the first two sides, back on the others.
        borders.append((side, count if side < 2 else len(on_side) - 1 - count))
    return Piece(corners, _centre(corners), tuple(borders))


def _centre(corners: tuple[tuple[int, int], ...]) -> tuple[Fraction, Fraction]:
    x = y = area = 0
    for (ax, ay), (bx, by) in pairwise((*corners, corners[0])):
        cross = ax * by - bx * ay
        area += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    return Fraction(x, 3 * area), Fraction(y, 3 * area)
