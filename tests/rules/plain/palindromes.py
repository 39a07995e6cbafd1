"""The Palindromic Card Game a second time, with rows as numbers, to compare the referee with.

Bit i of a row is 1 where card i from the right is red. Palindromes are found by growing them from their middles.
"""

import random
from typing import NamedTuple

from rules.core.game import Seat
from rules.games.palindromes import Palindromes
from rules.games.palindromes.state import PalindromesState


class Stretch(NamedTuple):
    """Some neighbouring cards. The same bits in a longer stretch are another pattern."""

    length: int
    bits: int

    def __str__(self) -> str:
        return f"{self.bits:0{self.length}b}".replace("1", "R").replace("0", "B")


def number(row: str) -> int:
    return int(row.replace("R", "1").replace("B", "0"), 2)


def patterns(row: int, length: int) -> set[Stretch]:
    """The distinct palindromes with red ends in a row of `length` cards."""
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
    """For each number of reds, the most that a row of `length` can be worth."""
    most = [0] * (length + 1)
    for row in range(1 << length):
        reds = row.bit_count()
        most[reds] = max(most[reds], worth(row, length))
    return tuple(most)


def sample(state: PalindromesState, seat: Seat | None, chance: random.Random) -> str:
    """The text of some legal move, any that there is; `legal` lists none here."""
    game = Palindromes()
    if seat is None:
        deals, weights = zip(*game.chances(state), strict=True)
        return game.format(chance.choices(deals, weights)[0])
    if not state.arranged:
        reds, blacks = state.hand(seat)
        cards = list("R" * reds + "B" * blacks)
        chance.shuffle(cards)
        return f"arrange {''.join(cards)}"
    other = state.rows[1 - seat] or ""
    names = sorted({str(name) for name in patterns(number(other), len(other))} - {*state.found[seat]})
    guesses = [f"R{'B' * gap}R" for gap in range(7)]
    wrong = [guess for guess in guesses if guess not in other and guess not in state.wrong[seat]]
    if state.misses and wrong and chance.random() < 0.1:
        return f"find {chance.choice(wrong)}"
    return f"find {chance.choice(names)}" if names and chance.random() < 0.8 else "done"
