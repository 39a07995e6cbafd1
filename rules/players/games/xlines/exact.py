"""Exact play of both phases of X's and Lines, and proven replies for the first x's."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import add
from pathlib import Path

from rules.players.games.xlines.position import XLinesPosition, fan, names, used
from rules.players.player import BudgetSpent, Solved

Ways = Mapping[int, Sequence[tuple[int, int, int]]]
"""For each x its lines as (end, mark, bar), those to the x's with the fewest lines first."""


class PositionBudget:
    """Positions that may still be looked at."""

    __slots__ = ("left", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = self.left = limit

    @property
    def spent(self) -> int:
        return self.limit - self.left


def ways_of(size: int, xs: Sequence[int]) -> Ways:
    """Return the lines between the x's that no x blocks."""
    held = sum(1 << cell for cell in xs)
    found = {}
    for start in xs:
        tracks = fan(size, start)
        found[start] = [
            (end, mark, bar) for other in xs for _, end, over, mark, bar in tracks[other] if not over & held
        ]
    count = {start: len(ways) for start, ways in found.items()}
    for ways in found.values():
        ways.sort(key=lambda way: count[way[0]])
    return found


def line_solver(ways: Ways, budget: PositionBudget) -> Callable[[int, int], bool]:
    """Return a function that says of a pen and a drawing if the seat on turn wins. It raises BudgetSpent."""

    def wins(pen: int, drawing: int) -> bool:
        budget.left -= 1
        if budget.left < 0:
            raise BudgetSpent
        stuck = True
        for end, mark, bar in ways[pen]:
            if not bar & drawing:
                if not wins(end, drawing | mark):
                    return True
                stuck = False
        return stuck  # who cannot draw has won

    return wins


def drawer_wins(size: int, xs: Sequence[int], budget: PositionBudget) -> bool:
    """Return True if the seat that draws the first line between these x's wins. Raises BudgetSpent."""
    ways = ways_of(size, xs)
    wins = line_solver(ways, budget)
    for start in xs:
        begun = used(size, start)
        for end, mark, _ in ways[start]:
            if not wins(end, begun | mark):
                return True
    return False


def solve_lines(position: XLinesPosition, limit: int) -> Solved | None:
    """Solve a position of the line phase, or return None if that takes more than `limit` positions.

    If the budget ends after a winning move was found, the moves found so far are returned.

    Lost moves are ordered by the share of replies that win, the smallest first: there the opponent errs most easily.
    """
    budget = PositionBudget(limit)
    wins = line_solver(ways_of(position.size, position.xs), budget)
    won: list[int] = []
    try:
        won.extend(code for code in position.moves() if not wins(*_after(position, code)))
    except BudgetSpent:
        if not won:
            return None
    if won:
        return Solved(1.0, tuple(won), budget.spent)
    return Solved(0.0, tuple(_hardest_first(position, wins)), budget.spent)


def line_wins(position: XLinesPosition, limit: int) -> bool | None:
    """Return True if the mover wins a position of the line phase, or None if that takes more than `limit` positions."""
    wins = line_solver(ways_of(position.size, position.xs), PositionBudget(limit))
    try:
        return any(not wins(*_after(position, code)) for code in position.moves())
    except BudgetSpent:
        return None


def ease(position: XLinesPosition, budget: PositionBudget) -> float:
    """Return how easily a line that wins is found in a position, from 0 to 1. Raises BudgetSpent.

    It is hard to find where few lines win and there are many: in games against a tree search the number of all lines
    counted for more than the share of those that win.
    """
    wins = line_solver(ways_of(position.size, position.xs), budget)
    lines = position.moves()
    return sum(not wins(*_after(position, code)) for code in lines) / len(lines) ** 3


def _hardest_first(position: XLinesPosition, wins: Callable[[int, int], bool]) -> list[int]:
    """Return all moves of a lost position, those first after which the fewest replies win."""
    shares = {}
    for code in position.moves():
        after = position.played(code)
        replies = after.moves()
        try:
            good = sum(not wins(*_after(after, reply)) for reply in replies)
        except BudgetSpent:
            good = len(replies)
        # Where there is no reply the opponent has won already.
        shares[code] = good / len(replies) if replies else 1.0
    return sorted(shares, key=shares.__getitem__)


def _after(position: XLinesPosition, code: int) -> tuple[int, int]:
    """Return the pen and the drawing after a line."""
    after = position.played(code)
    return after.pen, after.drawing


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


SEARCHED = 4
"""With so many x's left to place a search proves the reply at once."""

FILE = Path(__file__).with_name("openings.txt")


@cache
def symmetries(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the new number of each cell for the eight symmetries of the board."""
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
