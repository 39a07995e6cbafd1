"""Best rows of every hand, written to `best_rows.txt` by `python -m rules.players.games.palindromes.table`.

A line is the number of cards, of red ones, what the best rows are worth, and some of them, those with the longest
palindromes first. Hands whose best rows are worth nothing are left out: all of their rows are equal.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rules.games.palindromes import Palindromes
from rules.games.palindromes.state import Row
from rules.players.games.palindromes.rows import best_rows

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
