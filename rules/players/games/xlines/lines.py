"""Exact play of the line phase. The search is plain: the fewest lines first, and the first winning line is enough."""

from collections.abc import Callable, Mapping, Sequence

from rules.players.games.xlines.position import XLinesPosition
from rules.players.games.xlines.tracks import fan, used
from rules.players.player import Solved
from rules.players.solving import BudgetSpent

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
    """Return the lines between the x's that no x is in the way of."""
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
        after = position.copy()
        after.play(code)
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
    after = position.copy()
    after.play(code)
    return after.pen, after.drawing
