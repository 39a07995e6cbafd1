"""The computer player of X's and Lines."""

import random
import sys
from collections.abc import Mapping
from typing import ClassVar

from rules.core.game import Seat
from rules.core.match import Match
from rules.players.games.xlines.lines import PositionBudget, ease, line_wins, solve_lines
from rules.players.games.xlines.openings import SEARCHED, same_form, winning_reply
from rules.players.games.xlines.placing import PlacingSolver, as_bits
from rules.players.games.xlines.position import XLinesPosition
from rules.players.games.xlines.tracks import bent, line_text, names
from rules.players.games.xlines.traps import find_trap, promising
from rules.players.levels import Budget, Level
from rules.players.player import Choice, SearchPlayer, Solution, Solved, Unsolvable
from rules.players.solving import BudgetSpent
from rules.players.uct import Tuning

LARGEST = 8
"""The largest size that can be solved from the start: in half a minute with numba, time to compile included."""

PLAYOUT = 100
"""Positions that the solver looks at in the time of one playout at size 8: so many count as one node of a budget."""
TRAPPING = 600_000
"""Positions at most for finding a trap, beyond which it hardly improves."""
SAMPLE = 200
"""Playouts that estimate the value of an x that was chosen without a search."""


class XLinesPlayer(SearchPlayer[XLinesPosition]):
    """A player of X's and Lines. The line phase is solved, the end of the placing phase too; the rest is searched.

    As seat 1, which is lost against best play, the strongest level places its x's so that few replies keep the win.
    """

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

    def choose(self, match: Match, seat: Seat, budget: Budget, seed: int) -> Choice:
        state, level = match.state, self.level(budget)
        chosen = None
        if level is self.levels[-1] and state.placing and seat == 1 and state.size % 2 == 0:
            # No search comes afterwards that would need the other half of the time.
            limit = self._solver_limit(level, budget) * (1 if budget.seconds is None else 2)
            chance = random.Random(f"{seed} {len(match.log)}")  # noqa: S311 - for play, not for secrets
            chosen = self._second(self.position(match), limit, chance)
        return chosen or super().choose(match, seat, budget, seed)

    def _second(self, position: XLinesPosition, limit: int, chance: random.Random) -> Choice | None:
        """Return an x for seat 1 on a board of even size; None if the limit does not suffice for the last one."""
        left = position.size - len(position.xs)
        if left > 3:
            return self._promising(position, chance)
        budget = PositionBudget(min(limit, TRAPPING) if left == 3 else 0)
        trap = find_trap(position.size, position.xs, budget, chance) if left == 3 else None
        if trap is not None and trap.proved:
            return Choice(self.text(position, trap.cell), 1.0, True, budget.spent)
        solved = self.solved(position, limit - budget.spent)
        if solved is not None and (solved.value or trap is None):
            return Choice(self.text(position, solved.best[0]), solved.value, True, solved.nodes)
        if trap is None:
            return self._promising(position, chance) if left == 3 else None
        value, exact = (0.0, True) if solved else (trap.share, False)
        return Choice(self.text(position, trap.cell), value, exact, budget.spent, visits=trap.tried)

    def _promising(self, position: XLinesPosition, chance: random.Random) -> Choice:
        cell = promising(position.size, position.xs)[0]
        won = 0.0
        for _ in range(SAMPLE):
            after = position.copy()
            after.play(cell)
            won += after.playout(chance, None)[1]
        return Choice(self.text(position, cell), won / SAMPLE, False, SAMPLE, visits=SAMPLE)

    def _solver_limit(self, level: Level, budget: Budget) -> int:
        if budget.nodes is not None:
            return min(level.solver, budget.nodes * PLAYOUT)
        return super()._solver_limit(level, budget)

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

    def proved(self, position: XLinesPosition, limit: int) -> float | None:
        if position.placing:
            return super().proved(position, limit)
        won = line_wins(position, limit)
        return None if won is None else float(won)

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
    """Return the moves of a lost position: where only the lines are left, the hardest for the opponent first."""
    order = solver.ordered(position.xs)
    if position.size - len(position.xs) > 1 or position.mover == 0:
        return order
    eases = {}
    for cell in order:
        after = position.copy()
        after.play(cell)
        try:
            eases[cell] = ease(after, solver.budget)
        except BudgetSpent:
            eases[cell] = 1.0
    return sorted(order, key=eases.__getitem__)
