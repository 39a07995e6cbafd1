"""Exact play of the placing phase, as far as a budget goes.

Seat 0, who draws first, nearly always wins where x's stand far apart: there are many lines to choose from. So it tries
the cells far from all x's first, and seat 1 those near them. Each also tries first what has worked last.
"""

from collections.abc import Callable
from functools import cache
from operator import add

from rules.players.games.xlines.lines import PositionBudget, drawer_wins


@cache
def distances(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the steps along rows and columns between any two cells."""
    board = [divmod(cell, size) for cell in range(size**2)]
    return tuple(tuple(abs(y - v) + abs(x - u) for v, u in board) for y, x in board)


def as_bits(xs: tuple[int, ...]) -> int:
    """Return a set of x's as one number."""
    return sum(1 << cell for cell in xs)


class PlacingSolver:
    """Solves positions of one size, and remembers them. `name` gives equal sets of x's the same number."""

    def __init__(self, size: int, budget: PositionBudget, name: Callable[[tuple[int, ...]], int]) -> None:
        self.size, self.budget, self.name = size, budget, name
        self.known: dict[int, bool] = {}
        self._worked = [-1] * (size + 1)

    def first_wins(self, xs: tuple[int, ...]) -> bool:
        """Return True if seat 0 wins with these x's on the board. Raises BudgetSpent."""
        count = len(xs)
        if count == self.size:
            return drawer_wins(self.size, xs, self.budget)
        self.budget.left -= 1
        remembered = count < self.size - 1
        key = self.name(xs) if remembered else 0
        if remembered and key in self.known:
            return self.known[key]
        won = (self.winning(xs) is not None) == (count % 2 == 0)
        if remembered:
            self.known[key] = won
        return won

    def winning(self, xs: tuple[int, ...]) -> int | None:
        """Return a cell where the seat on turn wins, or None if there is none. Raises BudgetSpent."""
        count = len(xs)
        first = count % 2 == 0
        for cell in self.ordered(xs):
            if self.first_wins((*xs, cell)) == first:
                self._worked[count] = cell
                return cell
        return None

    def ordered(self, xs: tuple[int, ...]) -> list[int]:
        """Return the free cells, those first that most likely win for the seat on turn."""
        far = [0] * self.size**2
        for cell in xs:
            far = list(map(add, far, distances(self.size)[cell]))
        order = sorted(range(self.size**2), key=far.__getitem__, reverse=len(xs) % 2 == 0)
        for cell in xs:
            order.remove(cell)
        worked = self._worked[len(xs)]
        if worked in order:
            order.remove(worked)
            order.insert(0, worked)
        return order
