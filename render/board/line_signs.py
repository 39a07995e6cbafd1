"""The signs of lines on boards of plain text, by the sides on which the lines leave a cell."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.core.notation import Cell

Side = tuple[int, int]
"""A side of a cell: columns to the right and rows up."""

RIGHT: Side = (1, 0)
_UP, _DOWN, _LEFT = (0, 1), (0, -1), (-1, 0)

LINE_SIGNS: Mapping[frozenset[Side], str] = MappingProxyType(
    {
        frozenset((_LEFT, RIGHT)): "─",
        frozenset((_UP, _DOWN)): "│",
        frozenset((_DOWN, RIGHT)): "┌",
        frozenset((_DOWN, _LEFT)): "┐",
        frozenset((_UP, RIGHT)): "└",
        frozenset((_UP, _LEFT)): "┘",
        frozenset((_UP, RIGHT, _DOWN)): "├",
        frozenset((_UP, _LEFT, _DOWN)): "┤",
        frozenset((_LEFT, _DOWN, RIGHT)): "┬",
        frozenset((_LEFT, _UP, RIGHT)): "┴",
        frozenset((_UP, RIGHT, _DOWN, _LEFT)): "┼",
    }
)
"""The sign of a cell that lines leave on these sides, which are at least two."""


def side_towards(cell: Cell, other: Cell) -> Side:
    """Return the side of a cell that a neighbouring cell lies on."""
    return other.column - cell.column, other.row - cell.row
