"""Rows of cards: a row to be laid, stretches of it, and the palindromes in it."""

from functools import lru_cache

from rules.core.errors import Illegal, Unreadable, shown
from rules.games.palindromes.state import Row


@lru_cache(maxsize=1 << 10)
def palindromes(row: Row) -> tuple[Row, ...]:
    """The distinct stretches of a row that read the same from both ends and begin and end red, shortest first."""
    red = [index for index, card in enumerate(row) if card == "R"]
    names = {row[first : last + 1] for first in red for last in red if first <= last}
    return tuple(sorted((name for name in names if name == name[::-1]), key=lambda name: (len(name), name)))


def check_row(row: Row, hand: tuple[int, int]) -> None:
    """Raises Illegal unless the row is the whole hand; the marks are the colours that are too few or too many."""
    counts = row.count("R"), row.count("B")
    if counts != hand:
        off = [colour for colour, laid, held in zip("RB", counts, hand, strict=True) if laid != held]
        raise Illegal(
            f"You hold {hand[0]} red and {hand[1]} black cards, and the row must be all of them; yours has"
            f" {counts[0]} red and {counts[1]} black.",
            rule="cards" if sum(counts) != sum(hand) else "colours",
            marks=off,
        )


def between(row: Row, start: int, end: int) -> Row:
    """The cards of a row from one to another, counted from 1, in either direction. Raises Unreadable."""
    first, last = sorted((start, end))
    if not 1 <= first <= last <= len(row):
        raise Unreadable(f"The cards of the other row go from 1 to {len(row)}.")
    return row[first - 1 : last]


def check_name(name: Row, row: Row, named: tuple[Row, ...]) -> None:
    """Raises Illegal unless the name may be found in the row; the mark is the name."""
    if name in named:
        raise Illegal(f"You have named {shown(name)} before.", rule="named", marks=[name])
    if not name.startswith("R") or not name.endswith("R"):
        raise Illegal(f"{shown(name)} does not begin and end with red.", rule="ends", marks=[name])
    if name != name[::-1]:
        raise Illegal(
            f"{shown(name)} is no palindrome: from the other end it reads {shown(name[::-1])}.",
            rule="palindrome",
            marks=[name],
        )
    if name not in row:
        raise Illegal(f"{shown(name)} is not in the other row.", rule="row", marks=[name])
