"""The fast position of X's and Lines."""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Self

from rules.core.lattice import between, cells, in_board_order
from rules.core.notation import Cell
from rules.games.xlines import XLinesState
from rules.players.position import SearchPosition, Shares, Trace

Track = tuple[int, int, int, int, int]
"""A line between two cells: (code, end, over, mark, bar).

`over` are the cells that no x may stand on. A drawing is one number: the cells run through from left to right, `count`
bits higher those from bottom to top, and another `count` bits higher the x's in use. `mark` is what the line adds to a
drawing, and it may not be drawn while the drawing has a bit of `bar`. These are plain tuples, since Python unpacks
them faster than named ones.
"""


@cache
def fan(size: int, start: int) -> tuple[tuple[Track, ...], ...]:
    """Return the tracks from one cell to each other one. Cells are numbered in board order."""
    board = cells(size, size)
    return tuple(tuple(_tracks(size, start, end)) if end != start else () for end in range(len(board)))


@cache
def names(size: int) -> tuple[str, ...]:
    """Return the names of the cells in board order."""
    return tuple(str(cell) for cell in cells(size, size))


@cache
def _numbers(size: int) -> Mapping[Cell, int]:
    """Return the number of each cell in board order."""
    return {cell: number for number, cell in enumerate(cells(size, size))}


def used(size: int, cell: int) -> int:
    """Return the bit of a drawing that says that the x on a cell is in use."""
    return 1 << 2 * size**2 + cell


def line_text(size: int, code: int) -> str:
    """Return the canonical text of a line."""
    count = size**2
    ends, way = divmod(code - count, 2)
    start, end = divmod(ends, count)
    board = cells(size, size)
    stops = _ways(board[start], board[end])[way]
    return "-".join(str(cell) for cell in stops)


def _ways(start: Cell, end: Cell) -> list[tuple[Cell, ...]]:
    if start.column == end.column or start.row == end.row:
        return [(start, end)]
    corners = in_board_order([Cell(start.column, end.row), Cell(end.column, start.row)])
    return [(start, corner, end) for corner in corners]


def _tracks(size: int, start: int, end: int) -> list[Track]:
    board, number, count = cells(size, size), _numbers(size), size**2
    found = []
    for way, stops in enumerate(_ways(board[start], board[end])):
        level = upright = 0
        for here, there in pairwise(stops):
            through = sum(1 << number[cell] for cell in between(here, there))
            if here.row == there.row:
                level |= through
            else:
                upright |= through
        over = level | upright | sum(1 << number[cell] for cell in stops[1:-1])
        code = count + 2 * (start * count + end) + way
        mark, bar = level | upright << count, upright | level << count
        found.append((code, end, over, mark | used(size, end), bar | used(size, end)))
    return found


def bent(size: int, code: int) -> bool:
    """Return True if a code is that of a line with a corner."""
    start, end = divmod((code - size**2) // 2, size**2)
    return code >= size**2 and start // size != end // size and start % size != end % size


Way = tuple[int, int, int, int]
"""A line that no x blocks: its code, its end, its mark and its bar (see `Track`)."""


class XLinesPosition(SearchPosition):
    """The x's as numbers of cells in board order, the drawing, and the x that the pen is on (-1 before any line).

    The code of an x is the number of its cell; the code of a line says start, end and corner.
    """

    __slots__ = ("drawing", "held", "pen", "size", "ways", "xs")

    def __init__(self, size: int) -> None:
        self.size, self.held, self.drawing, self.pen, self.mover = size, 0, 0, -1, 0
        self.xs: tuple[int, ...] = ()
        # Copies share the ways: they depend on nothing but the x's, once all are placed.
        self.ways: dict[int, list[Way]] = {}

    @classmethod
    def of(cls, state: XLinesState) -> Self:
        position = cls(state.size)
        board = cells(state.size, state.size)
        for cell in state.xs:
            position.play(board.index(cell))
        for line in state.lines:
            tracks = fan(state.size, board.index(line.start))[board.index(line.end)]
            (code,) = (track[0] for track in tracks if line_text(state.size, track[0]) == str(line))
            position.play(code)
        return position

    @property
    def placing(self) -> bool:
        return len(self.xs) < self.size

    def ways_from(self, start: int) -> list[Way]:
        """Return the lines from one x that no x blocks, drawn or not. All x's are placed."""
        found = self.ways.get(start)
        if found is None:
            held, tracks = self.held, fan(self.size, start)
            found = self.ways[start] = [
                (code, end, mark, bar)
                for other in self.xs
                for code, end, over, mark, bar in tracks[other]
                if not over & held
            ]
        return found

    def moves(self) -> Sequence[int]:
        if self.placing:
            held = self.held
            return [cell for cell in range(self.size**2) if not held >> cell & 1]
        if self.pen >= 0:
            drawing = self.drawing
            return [code for code, _, _, bar in self.ways_from(self.pen) if not bar & drawing]
        return [way[0] for start in self.xs for way in self.ways_from(start)]

    def play(self, code: int) -> None:
        count = self.size**2
        if code < count:
            self.xs = (*self.xs, code)
            self.held |= 1 << code
            self.mover ^= 1
            if len(self.xs) == self.size:
                # Seat 0 draws the first line, also where it has placed the last x.
                self.mover, self.ways = 0, {}
            return
        if self.pen < 0:
            self.pen = (code - count) // (2 * count)
            self.drawing = used(self.size, self.pen)
        for way in self.ways_from(self.pen):
            if way[0] == code:
                _, self.pen, mark, _ = way
                self.drawing |= mark
                break
        self.mover ^= 1

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.size, twin.held, twin.drawing, twin.pen = self.size, self.held, self.drawing, self.pen
        twin.mover, twin.xs, twin.ways = self.mover, self.xs, self.ways
        return twin

    def shares(self) -> Shares:
        # Who cannot draw has won.
        return (0.0, 1.0) if self.mover else (1.0, 0.0)

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        pick, size, mover = chance.random, self.size, self.mover
        if self.placing:
            held, count, xs = self.held, size**2, list(self.xs)
            while len(xs) < size:
                code = int(pick() * count)
                if held >> code & 1:
                    continue
                held |= 1 << code
                xs.append(code)
                if trace is not None:
                    trace[mover].append(code)
                mover ^= 1
            self.xs, self.held, self.ways, mover = tuple(xs), held, {}, 0
        pen, drawing, held, codes = self.pen, self.drawing, self.held, self.xs
        if pen < 0:
            pen = codes[int(pick() * size)]
            drawing = used(size, pen)
        free = [cell for cell in codes if not drawing & used(size, cell)]
        while True:
            tracks = fan(size, pen)
            open_ = [
                track
                for end in free
                for track in tracks[end]
                if not track[4] & drawing and not track[2] & held
            ]
            if not open_:
                return (0.0, 1.0) if mover else (1.0, 0.0)
            code, pen, _, mark, _ = open_[int(pick() * len(open_))]
            drawing |= mark
            free.remove(pen)
            if trace is not None:
                trace[mover].append(code)
            mover ^= 1
