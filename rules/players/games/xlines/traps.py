"""The placing phase of seat 1 on boards of even size, where it nearly always is lost against best play.

Seat 1 wins where x's have few lines between them: then all x's can be joined, and the last line is seat 0's. So seat 1
looks for an x after which most replies of seat 0 lose. On boards of odd size the last of all lines is its own.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt

from rules.players.games.xlines.lines import PositionBudget, drawer_wins, ways_of
from rules.players.games.xlines.placing import distances
from rules.players.solving import BudgetSpent

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
