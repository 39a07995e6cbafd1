"""The Palindromic Card Game a second time, with rows as numbers, to compare the referee with.

Bit i of a row is 1 where card i from the right is red. Palindromes are found by growing them from their middles.
"""

from typing import NamedTuple


class Stretch(NamedTuple):
    """Some neighbouring cards. The same bits in a longer stretch are another pattern."""

    length: int
    bits: int

    def __str__(self) -> str:
        return f"{self.bits:0{self.length}b}".replace("1", "R").replace("0", "B")


def number(row: str) -> int:
    return int(row.replace("R", "1").replace("B", "0"), 2)


def patterns(row: int, length: int) -> set[Stretch]:
    """Return the distinct palindromes with red ends in a row of `length` cards."""
    found = set()
    for middle in range(2 * length - 1):
        low, high = middle // 2, (middle + 1) // 2
        while low >= 0 and high < length and row >> low & 1 == row >> high & 1:
            if row >> low & 1:
                found.add(Stretch(high - low + 1, row >> low & (1 << (high - low + 1)) - 1))
            low, high = low - 1, high + 1
    return found


def worth(row: int, length: int) -> int:
    """Return the score of a row in which every palindrome is found."""
    return row.bit_count() - len(patterns(row, length))


def best(length: int) -> tuple[int, ...]:
    """Return for each number of reds the most that a row of `length` can be worth."""
    most = [0] * (length + 1)
    for row in range(1 << length):
        reds = row.bit_count()
        most[reds] = max(most[reds], worth(row, length))
    return tuple(most)
