"""Proven replies of seat 0 for the first x's, where a proof takes longer than a move may.

`openings.txt` has a line for each set of x's, mirrored and turned to one form: size, x's, and the x that wins.
`python -m tests.bench.players.xlines_openings` proves and writes them again.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from rules.players.games.xlines.tracks import names

SEARCHED = 4
"""With so many x's left to place a search proves the reply at once."""

FILE = Path(__file__).with_name("openings.txt")


@cache
def symmetries(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the eight ways to turn and mirror the board: the new number of each cell."""
    board = [divmod(cell, size) for cell in range(size**2)]
    last = size - 1
    turned = [(y, x) for y, x in board], [(x, y) for y, x in board]
    return tuple(
        tuple((last - y if up else y) * size + (last - x if left else x) for y, x in cells)
        for cells in turned
        for up in (False, True)
        for left in (False, True)
    )


def same_form(size: int, xs: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Return a set of x's as bits, in the one form of all its mirror images, and the symmetry that leads there."""
    return min((sum(1 << turn[cell] for cell in xs), turn) for turn in symmetries(size))


def winning_reply(size: int, xs: Sequence[int]) -> int | None:
    """Return a proven winning x for seat 0, or None if none is known."""
    key, turn = same_form(size, xs)
    reply = _replies().get((size, key))
    return None if reply is None else turn.index(reply)


@cache
def _replies() -> dict[tuple[int, int], int]:
    found = {}
    for text in FILE.read_text().splitlines():
        size, *stops = text.split()
        numbers = names(int(size))
        *xs, reply = (numbers.index(stop) for stop in stops)
        found[int(size), sum(1 << cell for cell in xs)] = reply
    return found
