"""The best rows of a hand, by looking at every row that could still be one of them.

A row is worth its red cards less its distinct palindromes that begin and end red. Laid from left to right, a red card
brings exactly the longest of those that end with it, and only if that did not stand in the row before: all shorter
ones stand at the mirrored end of it too. So a row is worth the number of its red cards that bring nothing new.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rules.games.palindromes import Palindromes, Row

_COMPILED_FROM = 20
"""Hands of so many cards take longer than compiling does."""


class Best(NamedTuple):
    """The most that a row of a hand can be worth, some rows that are, and the number of cards laid to find out.

    A row is an integer with a 1 for each red card. Of each row and its mirror image one is named. The first have the
    longest palindromes, which are the hardest to find.
    """

    worth: int
    rows: tuple[int, ...]
    laid: int


def best_rows(cards: int, reds: int, keep: int, *, compiled: bool = False) -> Best:
    """Return the best rows of a hand, at most `keep` of them. `compiled` needs numba."""
    rows, lengths = [0] * keep, [-1] * keep
    if compiled and cards >= _COMPILED_FROM:
        rows, lengths, worth, laid = _by_numba(cards, reds, keep)
    else:
        worth, laid = _search(cards, reds, rows, lengths, _lists(cards))
    return Best(worth, tuple(row for row, length in zip(rows, lengths, strict=True) if length >= 0), laid)


def _lists(cards: int) -> list[list[int]]:
    return [[0] * (cards + 2) for _ in range(6)]


# This must stay plain integers in lists or arrays: numba compiles it as it is.
def _search(
    cards: int, reds: int, rows: list[int], lengths: list[int], work: list[list[int]]
) -> tuple[int, int]:
    """Fill `rows` and the sums of the lengths of their palindromes; return the best worth and the cards laid."""
    bits, mirror, worth, length, held, step = work[0], work[1], work[2], work[3], work[4], work[5]
    best = 0
    laid = 0
    held[0] = reds
    depth = 0
    while depth >= 0:
        colour = 1 - step[depth]
        step[depth] += 1
        if depth == cards or colour < 0:
            if depth == cards:
                if worth[depth] > best:
                    best = worth[depth]
                    for place in range(len(rows)):
                        lengths[place] = -1
                if bits[depth] >= mirror[depth]:
                    place = len(rows)
                    while place > 0 and lengths[place - 1] < length[depth]:
                        place -= 1
                    if place < len(rows):
                        for later in range(len(rows) - 1, place, -1):
                            rows[later] = rows[later - 1]
                            lengths[later] = lengths[later - 1]
                        rows[place] = bits[depth]
                        lengths[place] = length[depth]
            depth -= 1
            continue
        left = held[depth] - colour
        if left < 0 or left > cards - depth - 1:
            continue
        row = bits[depth] * 2 + colour
        turned = mirror[depth] + (colour << depth)
        idle = 0
        size = 0
        if colour == 1:
            start = 0
            while (row & ((1 << (depth + 1 - start)) - 1)) != turned >> start:
                start += 1
            size = depth + 1 - start
            name = turned >> start
            earlier = row >> 1
            for _ in range(start):
                if earlier & ((1 << size) - 1) == name:
                    idle = 1
                    break
                earlier >>= 1
        if worth[depth] + idle + left < best:
            continue
        laid += 1
        depth += 1
        bits[depth] = row
        mirror[depth] = turned
        worth[depth] = worth[depth - 1] + idle
        length[depth] = length[depth - 1] + (0 if idle else size)
        held[depth] = left
        step[depth] = 0
    return best, laid


@cache
def _compile() -> Callable[..., tuple[int, int]]:
    from numba import njit

    compiled: Callable[..., tuple[int, int]] = njit(_search)
    return compiled


def _by_numba(cards: int, reds: int, keep: int) -> tuple[list[int], list[int], int, int]:
    import numpy

    rows, lengths = numpy.zeros(keep, numpy.int64), numpy.full(keep, -1, numpy.int64)
    work = numpy.zeros((6, cards + 2), numpy.int64)
    worth, laid = _compile()(cards, reds, rows, lengths, work)
    return rows.tolist(), lengths.tolist(), int(worth), int(laid)


FILE = Path(__file__).with_name("best_rows.txt")
KEPT = 4


class BestRows(NamedTuple):
    worth: int
    rows: tuple[Row, ...]


@cache
def table() -> Mapping[tuple[int, int], BestRows]:
    """Return the best rows by the cards and the red cards of a hand."""
    lines = (line.split() for line in FILE.read_text(encoding="ascii").splitlines())
    return {(int(cards), int(reds)): BestRows(int(worth), tuple(rows)) for cards, reds, worth, *rows in lines}


def worth(cards: int, reds: int) -> int:
    """Return what the best rows of a hand are worth."""
    known = table().get((cards, reds))
    return known.worth if known else 0


def lines(cards: int, *, compiled: bool) -> list[str]:
    """Return the lines of the table for hands of one size."""
    found = []
    for reds in range(cards + 1):
        best = best_rows(cards, reds, KEPT, compiled=compiled)
        if best.worth:
            rows = (f"{row:0{cards}b}".replace("1", "R").replace("0", "B") for row in best.rows)
            found.append(f"{cards} {reds} {best.worth} {' '.join(rows)}\n")
    return found


if __name__ == "__main__":
    sizes, _ = Palindromes.options
    every = (line for cards in range(sizes.low, sizes.high + 1) for line in lines(cards, compiled=True))
    FILE.write_text("".join(every), encoding="ascii")
