"""All straight walls between two points of a square lattice, as sets of bits, and which of them cross or touch."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd
from typing import NamedTuple

from rules.core.bits import Bits, bit
from rules.core.lattice import cells
from rules.core.notation import Cell
from rules.core.plane import orientation


class Wall(NamedTuple):
    """A segment from one vertex to another."""

    start: Cell
    end: Cell

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Walls:
    """The `vertices` in board order, and `every` wall that joins two of them, in both directions, ordered by its ends.

    `alone`: each wall as a set of one; `vertices_on` it, the ends included; `starting`: the walls that start in a
    vertex; `reaching`: those that end in it or pass through it.
    """

    vertices: tuple[Cell, ...]
    every: tuple[Wall, ...]
    alone: Mapping[Wall, Bits]
    vertices_on: Mapping[Wall, Bits]
    starting: Mapping[Cell, Bits]
    reaching: Mapping[Cell, Bits]

    @property
    def all(self) -> Bits:
        """The set of every wall."""
        return (1 << len(self.every)) - 1


@cache
def walls(size: int) -> Walls:
    """Return all walls on a grid of `size` by `size` squares."""
    vertices = cells(size + 1, size + 1)
    every = tuple(Wall(start, end) for start in vertices for end in vertices if start != end)
    points = {vertex: bit(number, len(vertices)) for number, vertex in enumerate(vertices)}
    alone = {wall: bit(number, len(every)) for number, wall in enumerate(every)}
    vertices_on = dict.fromkeys(every, 0)
    starting = dict.fromkeys(vertices, 0)
    reaching = dict.fromkeys(vertices, 0)
    for wall in every:
        starting[wall.start] |= alone[wall]
        for vertex in _on(wall):
            vertices_on[wall] |= points[vertex]
            if vertex != wall.start:
                reaching[vertex] |= alone[wall]
    return Walls(vertices, every, alone, vertices_on, starting, reaching)


def _on(wall: Wall) -> list[Cell]:
    """Return the vertices on a wall, its ends included."""
    (ax, ay), (bx, by) = wall
    steps = gcd(bx - ax, by - ay)
    return [Cell(ax + step * (bx - ax) // steps, ay + step * (by - ay) // steps) for step in range(steps + 1)]


@cache
def crossing(size: int, wall: Wall) -> Bits:
    """Return the walls on the same grid that cross this one in a point that is an end of neither."""
    table = walls(size)
    left = [vertex for vertex in table.vertices if orientation(*wall, vertex) > 0]
    right = [vertex for vertex in table.vertices if orientation(*wall, vertex) < 0]
    across = _joining(table, left, right) | _joining(table, right, left)
    (start_left, start_right), (end_left, end_right) = _beside(size, wall.start), _beside(size, wall.end)
    return across & (start_left & end_right | start_right & end_left)


def _joining(table: Walls, here: list[Cell], there: list[Cell]) -> Bits:
    """Return the walls that start in one set of vertices and lead to another beyond a line."""
    starting = reaching = 0
    for vertex in here:
        starting |= table.starting[vertex]
    for vertex in there:
        reaching |= table.reaching[vertex]
    return starting & reaching


@cache
def _beside(size: int, vertex: Cell) -> tuple[Bits, Bits]:
    """Return the walls that have the vertex on their left, and those that have it on their right."""
    turns = [orientation(*wall, vertex) for wall in walls(size).every]
    left, right = ("".join("1" if turn == side else "0" for turn in turns) for side in (1, -1))
    return int(left, 2), int(right, 2)
