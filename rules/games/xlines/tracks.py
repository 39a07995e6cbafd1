"""The lines between cells: the ways that they can take, what they run over, and which may be drawn."""

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from rules.core.bits import Bits, bit, members
from rules.core.lattice import between, cells, in_board_order
from rules.core.notation import Cell
from rules.games.xlines.state import Line, ends_of


class Track(NamedTuple):
    """A line with the cells that it runs over between its ends, and those of them that it runs straight through from
    left to right (`level`) or from bottom to top (`upright`). Its corner is in neither."""

    line: Line
    over: Bits
    level: Bits
    upright: Bits


def open_lines(
    size: int, held: Bits, lines: tuple[Line, ...], level: Bits, upright: Bits
) -> tuple[Line, ...]:
    """The lines that may be drawn, in board order of start, end and corner.

    There always is a first one: between two x's that are as close as any, no x is in the way.
    """
    ends = members(held, cells(size, size))
    if lines:
        used = ends_of(lines)
        ends = tuple([cell for cell in ends if cell not in used])
    return tuple(
        [
            line
            for start in ((lines[-1].end,) if lines else ends)
            for tracks in (fan(size, start),)
            for end in ends
            for line, over, across, along in tracks[end]
            if not (over & held or across & upright or along & level)
        ]
    )


def ways(start: Cell, end: Cell) -> list[Line]:
    """The straight line between two cells, or else the two that turn once, the higher corner first."""
    if start.column == end.column or start.row == end.row:
        return [Line(start, None, end)]
    corners = in_board_order([Cell(start.column, end.row), Cell(end.column, start.row)])
    return [Line(start, corner, end) for corner in corners]


@cache
def cell_sets(size: int) -> Mapping[Cell, Bits]:
    """Each cell as a set of its own."""
    return {cell: bit(number, size**2) for number, cell in enumerate(cells(size, size))}


@lru_cache(maxsize=256)
def fan(size: int, start: Cell) -> Mapping[Cell, tuple[Track, ...]]:
    """The tracks from one cell to each other one."""
    ends = cells(size, size)
    return {end: tuple(track_of(line, size) for line in ways(start, end) if end != start) for end in ends}


def track_of(line: Line, size: int) -> Track:
    """The track of a line."""
    bits = cell_sets(size)
    level = upright = 0
    for start, end in pairwise(cell for cell in line if cell is not None):
        through = sum(bits[cell] for cell in between(start, end))
        if start.row == end.row:
            level |= through
        else:
            upright |= through
    turn = 0 if line.corner is None else bits[line.corner]
    return Track(line, level | upright | turn, level, upright)


def readings_of(cells: tuple[Cell, ...], pen: Cell | None) -> list[Line]:
    """The lines that one, two or three cells can stand for: the start may be missing, the corner too. Never empty."""
    start, end = cells[0], cells[-1]
    if len(cells) == 3:
        return [_by_way_of(*cells) or Line(*cells)]
    if pen is None or pen == start:
        return ways(start, end)
    if len(cells) == 1:
        return ways(pen, end)
    continued = _by_way_of(pen, start, end)
    return [*ways(start, end), continued] if continued else ways(start, end)


def _by_way_of(start: Cell, middle: Cell, end: Cell) -> Line | None:
    """The line from start to end on which `middle` is the corner, or lies on the straight way."""
    for line in ways(start, end):
        if middle == line.corner or (line.corner is None and middle in between(start, end)):
            return line
    return None
