"""The computer player of X's and Lines.

- `position.py`: the cells and crossings of each line, and the position that is searched.
- `exact.py`: exact play of both phases, and proven replies for the first x's, in `openings.txt`.
- `compiled.py`: exact play from the start, with numba.
"""

import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log, sqrt
from typing import ClassVar

from rules.core.game import Seat
from rules.core.match import Match
from rules.players.games.xlines.exact import (
    SEARCHED,
    PlacingSolver,
    PositionBudget,
    as_bits,
    distances,
    drawer_wins,
    ease,
    line_wins,
    same_form,
    solve_lines,
    ways_of,
    winning_reply,
)
from rules.players.games.xlines.position import XLinesPosition, bent, line_text, names
from rules.players.levels import Budget, Level
from rules.players.player import BudgetSpent, Choice, SearchPlayer, Solution, Solved, Unsolvable
from rules.players.uct import Tuning

CURIOSITY = 0.5
WIDENING = 0.7
"""As in `Tuning`: the search looks at the first few cells in order of promise, and at more of them with time."""
ANSWERS = 12
"""Last x's that are tried after each reply of seat 0; where none of them wins, the reply is taken for safe."""
READING = 60
"""Positions that count for finding the lines between a set of x's, which takes as long."""


def promising(size: int, xs: Sequence[int]) -> list[int]:
    """Return the free cells, those first that promise most to seat 1. The size is even, and there is an x."""
    free = [cell for cell in range(size**2) if cell not in xs]
    return sorted(free, key=lambda cell: _centre(size, cell) if len(xs) == 1 else _lines(size, xs, cell))


def _centre(size: int, cell: int) -> float:
    """Return the steps from the middle of the board."""
    return sum(abs(2 * at - size + 1) for at in divmod(cell, size)) / 2


def _lines(size: int, xs: Sequence[int], cell: int) -> float:
    """Return how far x's with a new one are from having few lines. The weights are fitted to games of size 8."""
    ways = [len(found) for found in ways_of(size, (*xs, cell)).values()]
    near = sum(distances(size)[cell][other] for other in xs)
    aligned = sum(cell // size == other // size or cell % size == other % size for other in xs)
    return sum(ways) / 2 - min(ways) + 0.4 * near + 0.5 * aligned + 0.2 * _centre(size, cell)


@dataclass(frozen=True, slots=True)
class Trap:
    """An x for seat 1: the share of the `tried` replies of seat 0 that lose, and True if all replies are known to."""

    cell: int
    share: float
    tried: int
    proved: bool


@dataclass(slots=True)
class _Candidate:
    """An x with the replies that are still to be tried, and those that are known to lose."""

    cell: int
    replies: list[int]
    tried: int = 0
    caught: int = 0
    losing: set[int] = field(default_factory=set)
    answers: list[int] = field(default_factory=list)
    """Last x's of seat 1 that have won, the latest first."""


def find_trap(size: int, xs: Sequence[int], budget: PositionBudget, chance: random.Random) -> Trap | None:
    """Return the third last x after which the largest share of seat 0's replies loses.

    None if the budget does not suffice for any. Every reply counts alike: a weaker player finds none of the few safe
    ones by more than chance.
    """
    order = promising(size, xs)
    budget.left -= READING * len(order)
    candidates = [_Candidate(cell, chance.sample(order, len(order))) for cell in order]
    for candidate in candidates:
        candidate.replies.remove(candidate.cell)
    try:
        rounds = 0
        while True:
            rounds += 1
            candidate = _choose(candidates[: 3 + int(WIDENING * sqrt(rounds))], rounds)
            if not candidate.replies:
                break
            reply = candidate.replies[-1]
            caught = reply in candidate.losing or _caught(size, xs, candidate, reply, order, budget)
            candidate.replies.pop()
            candidate.tried += 1
            candidate.caught += caught
    except BudgetSpent:
        pass
    tried = [candidate for candidate in candidates if candidate.tried]
    if not tried:
        return None
    best = max(tried, key=lambda candidate: candidate.caught / (candidate.tried + 2))
    share = best.caught / best.tried
    return Trap(best.cell, share, best.tried, share == 1 and not best.replies)


def _choose(candidates: Sequence[_Candidate], rounds: int) -> _Candidate:
    """Return the candidate with the highest upper bound; of one without untried replies the share is known."""
    curiosity = CURIOSITY * sqrt(log(rounds + 1))

    def bound(candidate: _Candidate) -> float:
        if not candidate.replies:
            return candidate.caught / candidate.tried
        times = candidate.tried + 1
        return (candidate.caught + 0.5) / times + curiosity / sqrt(times)

    return max(candidates, key=bound)


def _caught(
    size: int,
    xs: Sequence[int],
    candidate: _Candidate,
    reply: int,
    order: Sequence[int],
    budget: PositionBudget,
) -> bool:
    """Return True if a last x is found that wins for seat 1 after a reply. Raises BudgetSpent."""
    answers = candidate.answers + [cell for cell in order if cell not in candidate.answers]
    for cell in [cell for cell in answers if cell not in (candidate.cell, reply)][:ANSWERS]:
        budget.left -= READING
        if not drawer_wins(size, (*xs, candidate.cell, reply, cell), budget):
            # The x's of the reply and the answer win in either order.
            candidate.losing |= {reply, cell}
            if cell in candidate.answers:
                candidate.answers.remove(cell)
            candidate.answers.insert(0, cell)
            del candidate.answers[ANSWERS // 2 :]
            return True
    return False


LARGEST = 8
"""The largest size that can be solved from the start: in half a minute with numba, time to compile included."""

EXACT_LEFT = {3: 3, 4: 4, 5: 5, 6: 4, 7: 5, 8: 2, 9: 2, 10: 2, 11: 1, 12: 1}
"""The number of x's left to place, by size, up to which every position is solved by looking at `EXACT` positions."""
EXACT = 1_000_000
"""Positions, which take less than a second."""
ALWAYS_FIRST = (6, 7)
"""Sizes on which seat 0 is proved to win after every first x, where a search takes more than `EXACT` positions."""

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
        Level(200, solver=50, temperature=0.045, overlooked=0.38),
        Level(600, solver=150, temperature=0.01, overlooked=0.08),
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
            found = self._promising(position, chance)
            lost = self.whole(position)
            return found if lost is None else replace(found, value=0.0, exact=True, visits=0)
        budget = PositionBudget(min(limit, TRAPPING) if left == 3 else 0)
        trap = find_trap(position.size, position.xs, budget, chance) if left == 3 else None
        if trap is not None and trap.proved:
            return Choice(self.text(position, trap.cell), 1.0, True, budget.spent)
        solved = self.whole(position) or self.solved(position, limit - budget.spent)
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
            after = position.played(cell)
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
        if position.size - len(position.xs) > max(SEARCHED, EXACT_LEFT[position.size]):
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

    def whole(self, position: XLinesPosition) -> Solved | None:
        size, placed = position.size, len(position.xs)
        if placed == 1 and size in ALWAYS_FIRST:
            order = PlacingSolver(size, PositionBudget(0), as_bits).ordered(position.xs)
            return Solved(0.0, tuple(order), 1)
        return self.solved(position, EXACT) if size - placed <= EXACT_LEFT[size] else None

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
        after = position.played(cell)
        try:
            eases[cell] = ease(after, solver.budget)
        except BudgetSpent:
            eases[cell] = 1.0
    return sorted(order, key=eases.__getitem__)
