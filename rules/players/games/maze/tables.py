"""Tables of a grid of "Maze" for its walls and sections, as sets of bits."""

from functools import cache, cached_property, reduce
from math import lcm
from operator import or_
from typing import NamedTuple

from rules.core.bits import Bits, members
from rules.core.lattice import cells
from rules.core.notation import Cell
from rules.core.sections import Chord, Edge, pieces, way
from rules.core.walls import Wall, crossing, walls
from rules.games.maze import Maze

Sides = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""For the bottom, right, top and left side of a square the pieces along it, from its lower or left end, by number."""

_KNOWN = 4000
"""So many ways to cut one square are remembered."""


class _Square(NamedTuple):
    """A square: the walls through it as bits, as codes with their chords, and the pieces by the walls drawn."""

    near: Bits
    chords: tuple[tuple[int, Chord], ...]
    known: dict[Bits, tuple[int, Sides]]


class Tables:
    """The tables of one size.

    Only the walls that can ever be drawn have a code: those that end in an inner vertex and pass through no outer one.
    `effects` has for each code the walls that may start once it is drawn and those that remain possible, or None until
    it is asked for.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._all = walls(size)
        state = Maze().start({"size": size}, 2)
        self.walls: tuple[Wall, ...] = members(state.clear, self._all.every)
        self.code = {wall: code for code, wall in enumerate(self.walls)}
        self.count = len(self.walls)
        self._possible = state.clear
        self._bits = tuple(1 << self.code[wall] if wall in self.code else 0 for wall in self._all.every)
        self.effects: list[tuple[Bits, Bits] | None] = [None] * self.count
        # Half of the walls, a quarter and so on, to find a member by halving.
        self._halves = tuple(
            (1 << n, (1 << (1 << n)) - 1) for n in range(self.count.bit_length() - 1, -1, -1)
        )
        self._parts = lcm(*range(1, size + 1))
        self._squares, self._edges = self._geometry()

    def compact(self, rules: Bits) -> Bits:
        """Return a set of the rules' walls as a set of codes."""
        return reduce(or_, members(rules & self._possible, self._bits), 0)

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """The codes of all walls in the eight ways to turn and reflect the grid."""
        found, size = [], self._size
        for flip in (False, True):
            for quarter in range(4):
                image = {}
                for column, row in self._all.vertices:
                    x, y = (row, column) if flip else (column, row)
                    for _ in range(quarter):
                        x, y = size - y, x
                    image[Cell(column, row)] = Cell(x, y)
                found.append(tuple(self.code[Wall(image[start], image[end])] for start, end in self.walls))
        return tuple(found)

    def effect(self, code: int) -> tuple[Bits, Bits]:
        """Return the walls that may start once this one is drawn, and those that it leaves possible."""
        wall = self.walls[code]
        rooted, gone = 0, crossing(self._size, wall)
        for vertex in members(self._all.vertices_on[wall], self._all.vertices):
            # All vertices on a legal wall but its start are new.
            if vertex != wall.start:
                rooted |= self._all.starting[vertex]
                gone |= self._all.reaching[vertex]
        found = self.compact(rooted), ~self.compact(gone)
        self.effects[code] = found
        return found

    def nth(self, some: Bits, number: int) -> int:
        """Return the code of the member with this number, from 0, of a set of walls."""
        code = 0
        for half, mask in self._halves:
            low = some & mask
            count = low.bit_count()
            if number < count:
                some = low
            else:
                number -= count
                some >>= half
                code += half
        return code

    def _geometry(self) -> tuple[tuple[_Square, ...], tuple[tuple[int, int, int, int, Bits], ...]]:
        squares = cells(self._size, self._size)
        chords: dict[Cell, list[tuple[int, Chord]]] = {square: [] for square in squares}
        covering: dict[Edge, Bits] = {}
        for code, (start, end) in enumerate(self.walls):
            through, along = way(start, end, self._parts)
            for square, chord in through:
                chords[square].append((code, chord))
            for edge in along:
                covering[edge] = covering.get(edge, 0) | 1 << code
        found = tuple(
            _Square(sum(1 << code for code, _ in cuts), tuple(cuts), {}) for cuts in chords.values()
        )
        number = {square: index for index, square in enumerate(squares)}
        edges = []
        for square in squares:
            right, above = Cell(square.column + 1, square.row), Cell(square.column, square.row + 1)
            if right in number:
                edges.append((number[square], 1, number[right], 3, covering.get(Edge(right, True), 0)))
            if above in number:
                edges.append((number[square], 2, number[above], 0, covering.get(Edge(above, False), 0)))
        return found, tuple(edges)

    def sections(self, drawn: Bits) -> tuple[Bits, ...]:
        """Return for each section that these walls cut out its neighbours, the lowest bit for the first section.

        Sections are numbered as in the rules, but from 0.
        """
        count = 0
        firsts, shapes = [], []
        for square in self._squares:
            known = square.known.get(drawn & square.near)
            if known is None:
                known = self._cut(square, drawn & square.near)
            firsts.append(count)
            count += known[0]
            shapes.append(known[1])
        beside = [0] * count
        for one, side, other, back, covering in self._edges:
            if drawn & covering:
                continue
            first, second = firsts[one], firsts[other]
            for here, there in zip(shapes[one][side], shapes[other][back], strict=True):
                beside[first + here] |= 1 << second + there
                beside[second + there] |= 1 << first + here
        return tuple(beside)

    def _cut(self, square: _Square, drawn: Bits) -> tuple[int, Sides]:
        cuts = pieces(self._parts, tuple(sorted(chord for code, chord in square.chords if drawn >> code & 1)))
        along: list[dict[int, int]] = [{}, {}, {}, {}]
        for number, piece in enumerate(cuts):
            for side, place in piece.stretches:
                along[side][place] = number
        bottom, right, top, left = (tuple(side[place] for place in sorted(side)) for side in along)
        if len(square.known) >= _KNOWN:
            square.known.clear()
        square.known[drawn] = found = len(cuts), (bottom, right, top, left)
        return found


@cache
def tables(size: int) -> Tables:
    """Return the tables of a size."""
    return Tables(size)
