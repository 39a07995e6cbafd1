"""The computer player of Uncooked Spaghetti and Square Meatballs, and the solution of small boards from the start.

- `position.py`: the lines that cross and touch each other, and the position that is searched.
- `solver.py`: exact play of the drawing phase, and estimates of it.
- `filled.py`: the results of the drawing phase on all filled boards of sizes 4 and 5.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import ClassVar

from rules.core.bits import Bits
from rules.core.match import Match
from rules.games.spaghetti import Spaghetti
from rules.players.games.spaghetti.filled import canonical, read
from rules.players.games.spaghetti.position import SpaghettiPosition
from rules.players.games.spaghetti.solver import FAR, Drawing, effort, judge_drawing, solve_drawing
from rules.players.levels import Budget, Level
from rules.players.player import SearchPlayer, Solution, Solved, Unsolvable, by_margin
from rules.players.uct import Tuning

Leaf = Callable[[SpaghettiPosition, int, int], tuple[int, int]]
"""Returns the value of a drawing phase for seat 0, or a bound of it outside of the window, and the positions seen."""

_UNLIMITED = 1 << 62


def plain_leaf(position: SpaghettiPosition, alpha: int, beta: int) -> tuple[int, int]:
    """Solve a drawing phase in plain Python. Seat 1 draws first, so its values are the negative ones."""
    drawing = Drawing(position, _UNLIMITED)
    return -drawing.value(drawing.start, -beta, -alpha), drawing.nodes


def solve_game(size: int, leaf: Leaf) -> Solution:
    """Solve the game on a board of this size."""
    filling = _Filling(size, leaf, {})
    value = filling.value(filling.start, -FAR, FAR)
    end = "tie" if value == 0 else "win"
    return Solution(None if value == 0 else 0 if value > 0 else 1, abs(value), end, filling.nodes)


class _Filling:
    """The filling phase. Boards that are the same but for turns and reflections are solved once.

    `margins` holds the points by which seat 0 wins on boards that are known already.
    """

    def __init__(self, size: int, leaf: Leaf, margins: Mapping[Bits, int]) -> None:
        self._leaf = leaf
        self._size, self._squares = size, range(size**2)
        self._known: dict[Bits, tuple[int, int]] = {key: (margin, margin) for key, margin in margins.items()}
        self.nodes = 0
        self.start = SpaghettiPosition(Spaghetti().start({"size": size}, 2))

    def value(self, position: SpaghettiPosition, alpha: int, beta: int) -> int:
        """Return the points of seat 0 minus those of seat 1, or a bound of that outside of the window."""
        key = self._canonical(position.filled)
        low, high = self._known.get(key, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if not position.left:
            value, nodes = self._leaf(position, alpha, beta)
            self.nodes += nodes
        else:
            self.nodes += 1
            value = self._best(position, alpha, beta)
        if value <= alpha:
            self._known[key] = low, value
        else:
            self._known[key] = value, high if value >= beta else value
        return value

    def _best(self, position: SpaghettiPosition, alpha: int, beta: int) -> int:
        highest = position.mover == 0
        best = -FAR if highest else FAR
        seen = set()
        for code in position.moves():
            after = position.played(code)
            key = self._canonical(after.filled)
            if key in seen:
                continue
            seen.add(key)
            value = self.value(after, alpha, beta)
            if highest:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def _canonical(self, filled: Bits) -> Bits:
        return canonical(self._size, [number for number in self._squares if filled >> number & 1])


@cache
def _known_filling(size: int) -> _Filling:
    """Return the filling phase of a size with all that is shipped of it."""
    return _Filling(size, plain_leaf, read(size))


def _solve_filling(position: SpaghettiPosition) -> Solved:
    """Solve a position of the filling phase of two players."""
    filling, margins = _known_filling(position.table.size), dict[int, int]()
    before = filling.nodes
    for code in position.moves():
        after = position.played(code)
        value = filling.value(after, -FAR, FAR)
        margins[code] = value if position.mover == 0 else -value
    share, best = by_margin(margins)
    return Solved(share, best, filling.nodes - before + len(margins))


LARGEST = 5
"""The largest board that is solved from its start."""

WHOLE_LINES, WHOLE_LIMIT = 45, 150_000
"""Positions with so many open lines, and all on boards that are solved from their start, are solved by looking at so
many positions, which takes a second."""

POSITIONS_PER_NODE = 8
"""So many positions of the drawing phase take as long as a playout: a budget in nodes counts them as one."""


class SpaghettiPlayer(SearchPlayer[SpaghettiPosition]):
    """A player of Uncooked Spaghetti."""

    key = "spaghetti"
    tuning: ClassVar[Tuning] = Tuning(amaf=300)
    solver_speed: ClassVar[int] = 100_000
    solver_part: ClassVar[float] = 0.9
    levels: ClassVar[tuple[Level, ...]] = (
        Level(25, temperature=0.5, overlooked=0.85),
        Level(150, temperature=0.06, overlooked=0.35),
        Level(350, solver=600, temperature=0.02, overlooked=0.2),
        Level(500, solver=3_000, temperature=0.01),
        Level(1500, solver=7_500),
        Level(2200, solver=25_000),
        Level(3000, solver=80_000),
    )

    def position(self, match: Match) -> SpaghettiPosition:
        return SpaghettiPosition(match.state)

    def text(self, position: SpaghettiPosition, code: int) -> str:
        table = position.table
        return str(table.lines[code] if code < table.count else table.squares[code - table.count])

    def solved(self, position: SpaghettiPosition, limit: int) -> Solved | None:
        if position.left or effort(position.open.bit_count()) > limit:
            return None
        return solve_drawing(position, limit)

    def judged(self, position: SpaghettiPosition, limit: int) -> Solved | None:
        return None if position.left else judge_drawing(position, limit)

    def whole(self, position: SpaghettiPosition) -> Solved | None:
        small = position.table.size <= LARGEST
        if position.left:
            return _solve_filling(position) if small else None
        if small or position.open.bit_count() <= WHOLE_LINES:
            return solve_drawing(position, WHOLE_LIMIT)
        return None

    def _solver_limit(self, level: Level, budget: Budget) -> int:
        if budget.nodes is not None:
            return min(level.solver, POSITIONS_PER_NODE * budget.nodes)
        return super()._solver_limit(level, budget)

    def perceived(
        self, position: SpaghettiPosition, level: Level, chance: random.Random
    ) -> SpaghettiPosition:
        """Miss crossings with distant strands, each with the chance of the level."""
        if not position.drawn or not level.overlooked:
            return position
        table, seen = position.table, position.copy()
        crossing = list(table.crossing)
        for code in position.moves():
            met = crossing[code] & position.drawn
            for strand in [other for other in range(table.count) if met >> other & 1]:
                if table.apart(code, strand) and chance.random() < level.overlooked:
                    crossing[code] &= ~(1 << strand)
        seen.table = replace(table, crossing=tuple(crossing))
        seen.count()
        return seen

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        if options["size"] > LARGEST:
            raise Unsolvable(f"Uncooked Spaghetti can be solved on boards up to {LARGEST} by {LARGEST}.")
        return solve_game(options["size"], plain_leaf)
