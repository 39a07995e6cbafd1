"""The texts of moves on rotated and mirrored boards of cells or points like `c4`."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from rules.core.notation import Cell
from tests.rules.plain import TextTurn

_CELL = re.compile(r"([a-z])([0-9]+)")


def cell_turns(width: int, height: int) -> tuple[TextTurn, ...]:
    """Return how the names of cells change in every way: eight on a square board, else four."""

    def turned(across: bool, up: bool, swap: bool, found: re.Match[str]) -> str:
        column, row = ord(found[1]) - ord("a"), int(found[2]) - 1
        column = width - 1 - column if across else column
        row = height - 1 - row if up else row
        return str(Cell(row, column) if swap else Cell(column, row))

    def of_text(turn: Callable[[re.Match[str]], str], text: str) -> str | None:
        return _CELL.sub(turn, text) if _CELL.match(text) else None

    swaps = (False, True) if width == height else (False,)
    ways = [(across, up, swap) for swap in swaps for up in (False, True) for across in (False, True)]
    return (str, *(partial(of_text, partial(turned, *way)) for way in ways[1:]))


def square_turns(options: Mapping[str, int]) -> tuple[TextTurn, ...]:
    """Return the ways of a square board that has `size` cells along each side."""
    return cell_turns(options["size"], options["size"])
