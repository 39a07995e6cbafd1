"""All lines of a board as bit masks: what they run over, what they draw and what bars them."""

from functools import cache
from itertools import pairwise

from rules.core.lattice import between, cells, in_board_order
from rules.core.notation import Cell

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
    """The names of the cells in board order."""
    return tuple(str(cell) for cell in cells(size, size))


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
    board = cells(size, size)
    number = {cell: index for index, cell in enumerate(board)}
    count = len(board)
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
    """True if a code is that of a line with a corner."""
    start, end = divmod((code - size**2) // 2, size**2)
    return code >= size**2 and start // size != end // size and start % size != end % size
