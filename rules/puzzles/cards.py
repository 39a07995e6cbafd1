"""The puzzles of the Palindromic Card Game: the best row of a hand, and all palindromes of a row.

In the first kind seat 0 is to lay a row of its hand that is worth the most that a row of that hand can be worth. In the
second kind seat 1 is to find all palindromes of an open row; the third wrong guess ends the search, as in the named
sizes of the game. `python -m rules puzzles palindromes` makes them.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, prod

from rules.games.palindromes import Row, palindromes
from rules.players.games.palindromes import chance_to_find
from rules.players.games.palindromes.rows import table
from rules.puzzles.puzzle import CARDS, Puzzle, row_worth

HANDS = (9, 11, 13, 14, 15, 17)
"""The sizes of hands. No named size of the game is among them, so few players hold the same hand in a running game."""
ROWS = ((10, 60), (12, 80), (16, 60))
"""The lengths of rows, which are those of the named sizes, and the number of puzzles of each."""
MISSES = 3
FEWEST = 4
"""The palindromes that a row has at least."""

_RARE = (0.04, 0.01, 0.003)
"""The shares of all rows of a hand that are best, from which on a hand has the difficulty 1, 2 or 3."""
_OVERLOOKED, _SEEN = 0.05, (0.45, 0.27, 0.15)
"""The chance that a further card hides a palindrome, and the chances to find all palindromes of a row from which on
the row has the difficulty 1, 2 or 3."""


def make() -> Iterator[Puzzle]:
    """Yield the puzzles, hands first: one of each hand with which a row can be worth a point."""
    for cards in HANDS:
        for reds in range(cards + 1):
            if (cards, reds) in table():
                yield of_hand(cards, reds)
    for cards, number in ROWS:
        chance = random.Random(f"{CARDS} {cards}")  # noqa: S311 - the same puzzles every time
        seen = set[Row]()
        while len(seen) < 2 * number:
            deck = [*"R" * cards, *"B" * cards]
            chance.shuffle(deck)
            row = "".join(deck[:cards])
            if row not in seen and row != row[::-1] and len(palindromes(row)) >= FEWEST:
                seen |= {row, row[::-1]}
                yield of_row(row)


def of_hand(cards: int, reds: int) -> Puzzle:
    best = table()[cards, reds]
    number = 0
    for places in combinations(range(cards), reds):
        row = "".join("R" if place in places else "B" for place in range(cards))
        number += row_worth(row) == best.worth
    hard = _difficulty(number / comb(cards, reds), _RARE)
    return Puzzle(CARDS, (cards, MISSES), (f"deal {reds}",), (f"arrange {best.rows[0]}",), 1, 1, hard)


def of_row(row: Row) -> Puzzle:
    """Return the puzzle of a row, which seat 0 has laid; its search is done."""
    cards, reds, names = len(row), row.count("R"), palindromes(row)
    own = "B" * reds + "R" * (cards - reds)
    moves = f"deal {reds}", f"arrange {row}", f"arrange {own}", "done"
    hard = _difficulty(prod(chance_to_find(name, row, _OVERLOOKED) for name in names), _SEEN)
    line = tuple(f"find {name}" for name in names)
    return Puzzle(CARDS, (cards, MISSES), moves, line, 1, len(line), hard)


def _difficulty(share: float, limits: Sequence[float]) -> int:
    """Return a difficulty from 1 to 4 by the first limit that a share reaches."""
    return next((hard for hard, limit in enumerate(limits, 1) if share >= limit), len(limits) + 1)
