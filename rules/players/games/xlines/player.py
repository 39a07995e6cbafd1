"""The computer player of X's and Lines."""

import sys
from collections.abc import Mapping
from typing import ClassVar

from rules.core.match import Match
from rules.players.games.xlines.lines import PositionBudget, solve_lines, winning_lines
from rules.players.games.xlines.openings import SEARCHED, same_form, winning_reply
from rules.players.games.xlines.placing import PlacingSolver, as_bits
from rules.players.games.xlines.position import XLinesPosition
from rules.players.games.xlines.tracks import bent, line_text, names
from rules.players.levels import Level
from rules.players.player import SearchPlayer, Solution, Solved, Unsolvable
from rules.players.solving import BudgetSpent
from rules.players.uct import Tuning

LARGEST = 8
"""The largest size that can be solved from the start: in half a minute with numba, in some ten without."""


class XLinesPlayer(SearchPlayer[XLinesPosition]):
    """A player of X's and Lines. The line phase is solved, the end of the placing phase too; the rest is searched."""

    tuning: ClassVar[Tuning] = Tuning(amaf=300)
    solver_speed: ClassVar[int] = 1_500_000
    levels: ClassVar[tuple[Level, ...]] = (
        Level(20, temperature=0.4, overlooked=0.8),
        Level(70, solver=20, temperature=0.12, overlooked=0.5),
        Level(250, solver=60, temperature=0.04, overlooked=0.35),
        Level(700, solver=300, temperature=0.01, overlooked=0.08),
        Level(8000, solver=3_000_000),
    )

    def position(self, match: Match) -> XLinesPosition:
        return XLinesPosition.of(match.state)

    def text(self, position: XLinesPosition, code: int) -> str:
        count = position.size**2
        return names(position.size)[code] if code < count else line_text(position.size, code)

    def hidden(self, position: XLinesPosition, code: int) -> float:
        # People look along straight lines first.
        return 1.0 if bent(position.size, code) else 0.0

    def solved(self, position: XLinesPosition, limit: int) -> Solved | None:
        if not position.placing:
            return solve_lines(position, limit)
        if position.mover == 0 and (reply := winning_reply(position.size, position.xs)) is not None:
            return Solved(1.0, (reply,), 1)
        if position.size - len(position.xs) > SEARCHED:
            return None
        budget = PositionBudget(limit)
        solver = PlacingSolver(position.size, budget, as_bits)
        try:
            cell = solver.winning(position.xs)
        except BudgetSpent:
            return None
        if cell is not None:
            return Solved(1.0, (cell,), budget.spent)
        return Solved(0.0, tuple(_hardest_first(position, solver)), budget.spent)

    def _wins(self, position: XLinesPosition, code: int) -> bool:
        # Placing ends no game, and there are many places to look at.
        return not position.placing and super()._wins(position, code)

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        size = options["size"]
        if size > LARGEST:
            raise Unsolvable(f"X's and Lines can be solved for sizes up to {LARGEST}.")
        if compiled and size == LARGEST:  # compiling takes longer than to solve a smaller board
            from rules.players.games.xlines.compiled import solve

            won, positions, _ = solve(size)
        else:
            solver = PlacingSolver(size, PositionBudget(sys.maxsize), lambda xs: same_form(size, xs)[0])
            won, positions = solver.first_wins(()), solver.budget.spent
        return Solution(0 if won else 1, None, "win", positions)


def _hardest_first(position: XLinesPosition, solver: PlacingSolver) -> list[int]:
    """Return the moves of a lost position: where only the lines are left, those first after which few lines win."""
    order = solver.ordered(position.xs)
    if position.size - len(position.xs) > 1 or position.mover == 0:
        return order
    shares = {}
    budget = PositionBudget(2 * solver.budget.limit)
    for cell in order:
        after = position.copy()
        after.play(cell)
        try:
            shares[cell] = winning_lines(after, budget)
        except BudgetSpent:
            shares[cell] = 1.0
    return sorted(order, key=shares.__getitem__)
