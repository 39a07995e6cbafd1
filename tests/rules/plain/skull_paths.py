"""Skull a second time, straight from the post and as plainly as it can be said, to compare the referee with.

A position is the set of cells that hold a skull, and nothing else: cells are bits, row by row from the bottom left.
"The skulls form one path that has no loop" is asked of the whole set, never of the way it grew.
"""

from functools import cache

Skulls = int
"""A set of cells: bit `row * width + column`."""


@cache
def neighbours(width: int, height: int) -> tuple[Skulls, ...]:
    """For each cell, the set of the cells orthogonally beside it."""
    beside = []
    for cell in range(width * height):
        row, column = divmod(cell, width)
        found = 0
        for other_row, other_column in (
            (row + 1, column),
            (row - 1, column),
            (row, column + 1),
            (row, column - 1),
        ):
            if 0 <= other_row < height and 0 <= other_column < width:
                found |= 1 << (other_row * width + other_column)
        beside.append(found)
    return tuple(beside)


def name(cell: int, width: int) -> str:
    row, column = divmod(cell, width)
    return "abcdefghi"[column] + str(row + 1)


def cells(skulls: Skulls) -> list[int]:
    return [cell for cell in range(skulls.bit_length()) if skulls >> cell & 1]


def is_path(skulls: Skulls, width: int, height: int) -> bool:
    """True if the set is connected and no skull has more than two skulls beside it, and two of them (or the only
    one) have fewer: a path without a branch and without a loop."""
    beside = neighbours(width, height)
    members = cells(skulls)
    degrees = [(beside[cell] & skulls).bit_count() for cell in members]
    edges = sum(degrees) // 2
    if max(degrees) > 2 or edges != len(members) - 1:
        return False
    reached = skulls & -skulls
    while True:
        grown = reached
        for cell in cells(reached):
            grown |= beside[cell] & skulls
        if grown == reached:
            return reached == skulls
        reached = grown


def moves(skulls: Skulls, width: int, height: int) -> list[int]:
    """The empty cells that leave a path when a skull is added."""
    empty = (cell for cell in range(width * height) if not skulls >> cell & 1)
    return [cell for cell in empty if is_path(skulls | 1 << cell, width, height)]
