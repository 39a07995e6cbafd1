"""Square boards: cells in board order, what is off the board, rotations and reflections."""

from collections.abc import Iterable, Mapping
from functools import cache

from rules.core.errors import Illegal
from rules.core.notation import Cell, letter


@cache
def cells(width: int, height: int) -> tuple[Cell, ...]:
    """Return all cells (or lattice points) in board order: top row first, left to right."""
    return tuple(Cell(column, row) for row in reversed(range(height)) for column in range(width))


def in_board_order(cells: Iterable[Cell]) -> list[Cell]:
    return sorted(cells, key=lambda cell: (-cell.row, cell.column))


@cache
def neighbours(width: int, height: int) -> Mapping[Cell, frozenset[Cell]]:
    """Return for each cell the cells orthogonally beside it, at most four."""
    board = cells(width, height)
    return {cell: frozenset(cell.beside()).intersection(board) for cell in board}


def between(start: Cell, end: Cell) -> list[Cell]:
    """Return the cells strictly between two of the same row or column, from start to end."""
    right = (end.column > start.column) - (end.column < start.column)
    up = (end.row > start.row) - (end.row < start.row)
    steps = max(abs(end.column - start.column), abs(end.row - start.row))
    return [Cell(start.column + step * right, start.row + step * up) for step in range(1, steps)]


def on_board(cell: Cell, width: int, height: int) -> bool:
    return 0 <= cell.column < width and 0 <= cell.row < height


def check_on_board(cell: Cell, width: int, height: int) -> None:
    """Raise Illegal when there is no such cell."""
    if not on_board(cell, width, height):
        corner = f"{letter(width - 1)}{height}"
        raise Illegal(f"{cell} is off the board, which goes from a1 to {corner}.", rule="off the board")


Turn = tuple[int, ...]
"""A rotation or reflection of a board: the place of each cell after it. A place is `row * width + column`."""


@cache
def board_turns(width: int, height: int) -> tuple[Turn, ...]:
    """Return the rotations and reflections of a board: eight if it is square, else four. The first changes nothing.

    The order is the same on square boards of all sizes. The last four of these swap columns and rows.
    """
    right, top = width - 1, height - 1
    cells = [(column, row) for row in range(height) for column in range(width)]
    turned = [
        [(column, row) for column, row in cells],
        [(right - column, row) for column, row in cells],
        [(column, top - row) for column, row in cells],
        [(right - column, top - row) for column, row in cells],
    ]
    if width == height:
        turned += [[(row, column) for column, row in one] for one in turned]
    return tuple(tuple(row * width + column for column, row in one) for one in turned)
