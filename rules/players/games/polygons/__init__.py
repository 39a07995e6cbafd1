"""The computer player of Polygons & Dots.

- `plane.py`: directions on the lattice, and the regions of a closed path counted by whole numbers.
- `position.py`: the position that is searched, and the same with fewer points to choose from.
- `joining.py`: exact play of the joining phase.
- `two_dots.py`: exact play of the placing phase with two dots each.
"""

import random
from collections.abc import Mapping
from typing import ClassVar

from rules.core.game import Seat
from rules.core.lattice import cells
from rules.core.match import Match
from rules.players.games.polygons.joining import JoiningSolver
from rules.players.games.polygons.position import NarrowPosition, PolygonsPosition
from rules.players.games.polygons.two_dots import solve_placing, solve_two_dots
from rules.players.levels import Budget, Level
from rules.players.player import BudgetSpent, Choice, SearchPlayer, Solution, Solved, Unsolvable
from rules.players.uct import Tuning

LAST_DOT = 100_000
"""With this budget of positions the last dot is chosen by how few first segments win for the opponent."""
MOST_DOTS = 4
"""The most dots of each seat with which that budget suffices to count them."""
EXACT_DOTS = 2
"""The number of dots of each seat with which the placing phase is solved."""


class PolygonsPlayer(SearchPlayer[PolygonsPosition]):
    """A player of Polygons & Dots. The joining phase is solved, as far as the budget goes; the rest is searched."""

    tuning: ClassVar[Tuning] = Tuning(amaf=300)
    solver_speed: ClassVar[int] = 800_000
    levels: ClassVar[tuple[Level, ...]] = (
        Level(3, temperature=3.0),
        Level(20, temperature=0.35),
        Level(80, temperature=0.13),
        Level(400, temperature=0.015),
        Level(4000, solver=1_000_000),
    )

    def position(self, match: Match) -> PolygonsPosition:
        return PolygonsPosition.of(match.state)

    def text(self, position: PolygonsPosition, code: int) -> str:
        board = cells(position.size, position.size)
        start, end = divmod(code, len(board))
        return f"{board[start - 1]}-{board[end]}" if start else str(board[end])

    def perceived(self, position: PolygonsPosition, level: Level, chance: random.Random) -> PolygonsPosition:
        return NarrowPosition.like(position) if level.solver and position.placing else position

    def choose(self, match: Match, seat: Seat, budget: Budget, seed: int) -> Choice:
        level = self.level(budget)
        position = self.position(match)
        last = len(position.dots) == 2 * position.each - 1
        limit = self._solver_limit(level, budget)
        if (
            limit >= LAST_DOT
            and position.placing
            and position.mover == 1
            and last
            and EXACT_DOTS < position.each <= MOST_DOTS
        ):
            code, share = hardest_last_dot(position, limit)
            value = None if share is None else self._after(position, code, share, limit)
            if value is not None or not budget.with_value:
                return Choice(self.text(position, code), value, value == 1, limit)
        return super().choose(match, seat, budget, seed)

    def _after(self, position: PolygonsPosition, code: int, share: float, limit: int) -> float | None:
        """Return the value of the last dot for seat 1, after which this share of first segments wins.

        None means that it takes too long to solve the position.
        """
        if share:
            return 0.0
        after = position.played(code)
        value = self.proved(after, limit)
        return None if value is None else 1 - value

    def whole(self, position: PolygonsPosition) -> Solved | None:
        return solve_placing(position) if position.placing and position.each == EXACT_DOTS else None

    def solved(self, position: PolygonsPosition, limit: int) -> Solved | None:
        return self._solved(position, limit, every=True)

    def judged(self, position: PolygonsPosition, limit: int) -> Solved | None:
        # Of the segments that win one is enough; to look at all of them would take the whole budget.
        return self._solved(position, limit, every=False)

    def _solved(self, position: PolygonsPosition, limit: int, *, every: bool) -> Solved | None:
        if position.placing:
            return None
        solver = JoiningSolver([position.point(dot) for dot in position.dots], limit)
        codes = position.moves()
        sign = -1 if position.mover else 1
        results: dict[int, int] = {}
        try:
            for code in codes:
                results[code] = sign * solver.result(_path(position, code))
                if results[code] == 1 and not every:
                    break
        except BudgetSpent:
            if 1 not in results.values():
                return None
        best = max(results.values())
        kept = [code for code in codes if results.get(code) == best]
        if best < 1:
            kept = _hardest_first(position, solver, kept, best * sign)
        return Solved((best + 1) / 2, tuple(kept), solver.spent)

    def _wins(self, position: PolygonsPosition, code: int) -> bool:
        # Placing ends no game, and there are many places to look at.
        return not position.placing and super()._wins(position, code)

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        if options["dots"] > EXACT_DOTS:
            raise Unsolvable("Polygons & Dots can be solved for two dots each, on paper of any size.")
        return solve_two_dots(options["size"])


def hardest_last_dot(position: PolygonsPosition, limit: int) -> tuple[int, float | None]:
    """Return the last dot of seat 1 after which the fewest first segments win, and their share.

    Seat 0 nearly always has one that wins, but the fewer there are, the more easily it errs. `limit` is in positions.
    If it does not suffice to count them for any dot, the first dot is returned, and None.
    """
    codes = NarrowPosition.like(position).moves()
    best, fewest = codes[0], 2.0
    for code in codes:
        after = position.played(code)
        solver = JoiningSolver([after.point(dot) for dot in after.dots], limit)
        won = 0
        starts = after.moves()
        try:
            for start in starts:
                won += solver.result(_path(after, start), 0, 1) > 0
                if won >= fewest * len(starts):
                    break
        except BudgetSpent:
            break
        limit -= solver.spent
        if won / len(starts) < fewest:
            best, fewest = code, won / len(starts)
    return best, fewest if fewest <= 1 else None


def _path(position: PolygonsPosition, code: int) -> list[int]:
    """Return the path after a segment, as numbers of dots in the order placed."""
    start, end = divmod(code, position.size**2)
    path = [*(position.path or (start - 1,)), end]
    return [position.dots.index(dot) for dot in path]


def _hardest_first(
    position: PolygonsPosition, solver: JoiningSolver, codes: list[int], result: int
) -> list[int]:
    """Return moves that lead to one result, those first after which the fewest replies keep it for the opponent."""
    shares = {}
    for code in codes:
        after = position.played(code)
        replies = after.moves()
        try:
            good = sum(solver.result(_path(after, reply)) == result for reply in replies)
        except BudgetSpent:
            good = len(replies)
        shares[code] = good / len(replies) if replies else 1.0
    return sorted(codes, key=shares.__getitem__)
