"""The fast position of "Maze"."""

import random
from collections.abc import Container, Mapping, Sequence
from functools import cache, cached_property, reduce
from math import lcm
from operator import or_
from typing import NamedTuple, Self

from rules.core.bits import Bits, members, places
from rules.core.game import Seat, leaders, next_seat
from rules.core.lattice import cells
from rules.core.notation import Cell
from rules.core.sections import Chord, Edge, pieces, way
from rules.core.walls import Wall, crossing, walls
from rules.games.maze import Maze
from rules.games.maze.state import MazeState
from rules.players.position import SearchPosition, Shares, Trace

Sides = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""For the bottom, right, top and left side of a square the pieces along it, from its lower or left end, by number."""

_KNOWN = 4000
"""The number of remembered divisions of one square."""


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
        self.size = size
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
        """The codes of all walls for the eight symmetries of the grid."""
        found, size = [], self.size
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
        rooted, gone = 0, crossing(self.size, wall)
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
        squares = cells(self.size, self.size)
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
            for side, place in piece.borders:
                along[side][place] = number
        bottom, right, top, left = (tuple(side[place] for place in sorted(side)) for side in along)
        if len(square.known) >= _KNOWN:
            square.known.clear()
        square.known[drawn] = found = len(cuts), (bottom, right, top, left)
        return found


@cache
def tables(size: int) -> Tables:
    return Tables(size)


_LIKELY: Mapping[int, Shares] = {2: (0.95, 0.05), 3: (0.68, 0.21, 0.11), 4: (0.47, 0.22, 0.18, 0.13)}
"""The shares of whoever draws the last wall and of those who move next, by the number of players left."""


class MazePosition(SearchPosition):
    """Codes below `table.count` are walls, those from there on sections.

    `rooted`, `clear` and `drawn` are sets of walls: those that start in a touched vertex, those that nothing forbids,
    and those that are there. Once the maze is drawn, `beside` holds the neighbours of each section, `unfilled` the
    sections left and `last` the one filled last, or -1 before the first. `after` is the next seat for each seat.

    Where two players are left and the last wall can be chosen, its drawer nearly always wins at the standard size: 82
    of 83 random positions. Among three and four the drawer has an advantage, too. So of positions that began with
    several untouched vertices (`early`) nothing more is asked: playouts end with the last wall, which `drawer` drew.
    """

    __slots__ = (
        "_codes",
        "after",
        "beside",
        "clear",
        "drawer",
        "drawn",
        "early",
        "gone",
        "last",
        "points",
        "rooted",
        "table",
        "unfilled",
    )

    def __init__(self, state: MazeState) -> None:
        table = tables(state.size)
        self.table: Tables = table
        self.mover = state.mover
        seats = range(len(state.points))
        self.gone = state.gone
        self.after = tuple(next_seat(seat, len(seats), state.gone) for seat in seats)
        self.points = list(state.points)
        self.rooted, self.clear = table.compact(state.rooted), table.compact(state.clear)
        self.drawn: Bits = sum(1 << table.code[wall] for wall in state.walls)
        self.last, self.unfilled, self.drawer = -1, 0, -1
        left = len(state.points) - len(state.gone)
        self.early = left in _LIKELY and state.plan is None and len(self.reached()) > 1
        self.beside: tuple[Bits, ...] | None = None
        if state.plan is not None:
            self.beside = table.sections(self.drawn)
            self.unfilled = sum(1 << number for number, owner in enumerate(state.owners) if owner is None)
            self.last = state.string[-1] if state.string else -1
        self._codes: Sequence[int] | None = None

    def moves(self) -> Sequence[int]:
        if self._codes is None:
            table = self.table
            if self.beside is None:
                self._codes = members(self.rooted & self.clear, range(table.count - 1, -1, -1))
            else:
                self._codes = [table.count + number for number in places(self.choices())]
        return self._codes

    def choices(self) -> Bits:
        """Return the sections that may be filled."""
        assert self.beside is not None
        return (self.last >= 0 and self.beside[self.last] & self.unfilled) or self.unfilled

    def reached(self) -> set[Cell]:
        """Return the vertices in which walls can end: those that no line touches yet."""
        return {wall.end for wall in members(self.clear, self.table.walls[::-1])}

    def parts(self, without: int = -1) -> list[int]:
        """Return one unfilled section of each group that hangs together, but for the group of the section `without`."""
        assert self.beside is not None
        left, found = self.unfilled, []
        if without >= 0:
            left &= ~self._group(without)
        while left:
            one = (left & -left).bit_length() - 1
            found.append(one)
            left &= ~self._group(one)
        return found

    def _group(self, section: int) -> Bits:
        assert self.beside is not None
        group = edge = 1 << section
        while edge:
            low = edge & -edge
            fresh = self.beside[low.bit_length() - 1] & self.unfilled & ~group
            group |= fresh
            edge = (edge ^ low) | fresh
        return group

    def play(self, code: int) -> None:
        self._codes = None
        table = self.table
        if self.beside is None:
            rooted, left = table.effects[code] or table.effect(code)
            self.rooted |= rooted
            self.clear &= left
            self.drawn |= 1 << code
            if not self.clear:
                self.drawer = self.mover
                self._finish()
        else:
            number = code - table.count
            self.last = number
            self.unfilled &= ~(1 << number)
            if not self.beside[number] & self.unfilled:
                self.points[self.mover] += 1
        self.mover = self.after[self.mover]

    def _finish(self) -> None:
        """Divide the finished maze into sections. While a vertex is untouched, some wall leads to it."""
        self.beside = self.table.sections(self.drawn)
        self.unfilled = (1 << len(self.beside)) - 1

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.table, twin.mover, twin.gone, twin.after = self.table, self.mover, self.gone, self.after
        twin.points = self.points.copy()
        twin.rooted, twin.clear, twin.drawn = self.rooted, self.clear, self.drawn
        twin.beside, twin.unfilled, twin.last = self.beside, self.unfilled, self.last
        twin._codes, twin.drawer, twin.early = self._codes, self.drawer, self.early
        return twin

    def shares(self) -> Shares:
        return shares_of(self.points, self.gone)

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        if self.beside is None:
            self._draw(chance, trace)
            if not self.early:
                self._finish()
        if self.early:
            shares, seat = [0.0] * len(self.points), self.drawer
            for share in _LIKELY[len(shares) - len(self.gone)]:
                shares[seat], seat = share, self.after[seat]
            return tuple(shares)
        self._fill(chance, trace)
        return self.shares()

    def _draw(self, chance: random.Random, trace: Trace | None) -> None:
        pick, after, table = chance.random, self.after, self.table
        effects, effect = table.effects, table.effect
        rooted, clear, drawn, mover = self.rooted, self.clear, self.drawn, self.mover
        while clear:
            legal = rooted & clear
            code = table.nth(legal, int(pick() * legal.bit_count()))
            more, left = effects[code] or effect(code)
            rooted |= more
            clear &= left
            drawn |= 1 << code
            if trace is not None:
                trace[mover].append(code)
            self.drawer = mover
            mover = after[mover]
        self.drawn, self.mover = drawn, mover

    def _fill(self, chance: random.Random, trace: Trace | None) -> None:
        pick, after, points, first = chance.random, self.after, self.points, self.table.count
        beside, unfilled, last, mover = self.beside, self.unfilled, self.last, self.mover
        assert beside is not None
        open_ = beside[last] & unfilled if last >= 0 else 0
        while unfilled:
            options = open_ or unfilled
            count = options.bit_count()
            if count > 1:
                for _ in range(int(pick() * count)):
                    options &= options - 1
            last = (options & -options).bit_length() - 1
            unfilled &= ~(1 << last)
            open_ = beside[last] & unfilled
            if not open_:
                points[mover] += 1
            if trace is not None:
                trace[mover].append(first + last)
            mover = after[mover]


def shares_of(points: Sequence[int], gone: Container[Seat]) -> Shares:
    """Return the shares of a game that is over, by the points and the seats that have left."""
    best = leaders(points, gone)
    return tuple([1 / len(best) if seat in best else 0.0 for seat in range(len(points))])
