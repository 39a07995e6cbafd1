"""The player of Uncooked Spaghetti: search, and exact play once few lines are open."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from rules.core.match import Match
from rules.players.games.spaghetti.position import SpaghettiPosition
from rules.players.games.spaghetti.solver import effort, judge_drawing, solve_drawing
from rules.players.games.spaghetti.whole import plain_leaf, solve_game
from rules.players.levels import Budget, Level
from rules.players.player import SearchPlayer, Solution, Solved, Unsolvable
from rules.players.uct import Tuning

LARGEST = 4
"""The largest board that is solved from its start."""

POSITIONS_PER_NODE = 8
"""So many positions of the drawing phase take as long as a playout: a budget in nodes counts them as one."""


class SpaghettiPlayer(SearchPlayer[SpaghettiPosition]):
    """A player of Uncooked Spaghetti."""

    key = "spaghetti"
    tuning: ClassVar[Tuning] = Tuning(amaf=300)
    solver_speed: ClassVar[int] = 100_000
    solver_part: ClassVar[float] = 0.9
    levels: ClassVar[tuple[Level, ...]] = (
        Level(25, temperature=0.4, overlooked=0.8),
        Level(200, temperature=0.05, overlooked=0.3),
        Level(500, solver=800, temperature=0.01, overlooked=0.1),
        Level(800, solver=1_600),
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
