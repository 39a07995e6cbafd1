"""The computer player of "Maze", and the solution of small boards from the start."""

from collections.abc import Mapping
from typing import ClassVar

from rules.core.bits import Bits
from rules.core.match import Match
from rules.games.maze import Maze
from rules.players.games.maze.position import MazePosition
from rules.players.games.maze.solver import (
    FAR,
    Trees,
    solve_filling,
    solve_for_several,
    solve_last_wall,
)
from rules.players.levels import Level
from rules.players.player import BudgetSpent, SearchPlayer, Solution, Solved, Unsolvable, by_margin
from rules.players.uct import Tuning

_UNLIMITED = 1 << 62


def solve_game(size: int) -> Solution:
    """Solve the game for two players on a grid of this size."""
    drawing = _Drawing(_UNLIMITED)
    value = drawing.value(MazePosition(Maze().start({"size": size}, 2)), -FAR, FAR)
    end = "tie" if value == 0 else "win"
    winner = None if value == 0 else 0 if value > 0 else 1
    return Solution(winner, abs(value), end, drawing.nodes + drawing.trees.nodes)


class _Drawing:
    """The drawing phase. Mazes of the same walls are solved once, and so are those of the same tree of sections.

    `limit` is in positions of the filling phase.
    """

    def __init__(self, limit: int) -> None:
        self.trees = Trees(limit)
        self.nodes = 0
        self._known: dict[Bits, tuple[int, int]] = {}

    def value(self, position: MazePosition, alpha: int, beta: int) -> int:
        """Return the points of the mover minus those of the opponent, or a bound of it outside of the window.

        Raises BudgetSpent.
        """
        if position.beside is not None:
            rooted = self.trees.rooted(position.beside, position.unfilled, 0)
            return self.trees.value((self.trees.free(rooted),), alpha, beta)
        key = self._canonical(position)
        low, high = self._known.get(key, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        self.nodes += 1
        floor, best = alpha, -FAR
        for code in position.moves():
            after = position.played(code)
            best = max(best, -self.value(after, -beta, -alpha))
            alpha = max(alpha, best)
            if best >= beta:
                break
        if best <= floor:
            self._known[key] = low, best
        else:
            self._known[key] = best, high if best >= beta else best
        return best

    def _canonical(self, position: MazePosition) -> Bits:
        """Return the least of the sets that turns and reflections make of the walls drawn."""
        codes = [code for code in range(position.table.count) if position.drawn >> code & 1]
        return min(sum(1 << turn[code] for code in codes) for turn in position.table.turns)


def _solve_drawing(position: MazePosition) -> Solved:
    """Solve a position of the drawing phase of two players."""
    drawing, margins = _Drawing(_UNLIMITED), dict[int, int]()
    for code in position.moves():
        after = position.played(code)
        margins[code] = -drawing.value(after, -FAR, FAR)
    share, best = by_margin(margins)
    return Solved(share, best, drawing.nodes + drawing.trees.nodes)


def solve_last_walls(position: MazePosition, limit: int) -> Solved | None:
    """Solve a position of the drawing phase of two players; None if it takes more than `limit` positions.

    Of the walls that win, or else draw, only the first that is found is returned. Of walls that lose, those that leave
    the opponent the most choices come first.
    """
    drawing, ways = _Drawing(limit), {code: position.copy() for code in position.moves()}
    for code, after in ways.items():
        after.play(code)
    try:
        for share, points in ((1.0, 1), (0.5, 0)):
            for code, after in ways.items():
                if drawing.value(after, -points, 1 - points) <= -points:
                    return Solved(share, (code,), drawing.trees.nodes)
    except BudgetSpent:
        return None
    order = sorted(ways, key=lambda code: -len(ways[code].moves()))
    return Solved(0.0, tuple(order), drawing.trees.nodes)


LAST_WALL, LAST_WALLS = 5_000, 200_000
"""Positions that a solver must be allowed at least to try the last wall of a maze, and the last few."""
UNTOUCHED, UP_TO = 3, 4
"""With so many untouched vertices the drawing phase is solved, on grids up to this size."""

LARGEST = 3
"""The largest grid that is solved from its start."""

UNFILLED, EXACT = 32, 150_000
"""So many unfilled sections, and the last wall, are solved by looking at so many positions, which takes a second."""

UNFILLED_FOR_SEVERAL, PRICE_FOR_SEVERAL = 26, 3
"""With more than two players so many unfilled sections may be solved, and a position counts as so many."""


class MazePlayer(SearchPlayer[MazePosition]):
    """A player of "Maze"."""

    key = "maze"
    tuning: ClassVar[Tuning] = Tuning()
    solver_speed: ClassVar[int] = 150_000
    levels: ClassVar[tuple[Level, ...]] = (
        Level(6, temperature=1.5, overlooked=0.9),
        Level(30, temperature=0.35, overlooked=0.6),
        Level(120, temperature=0.12, overlooked=0.25),
        Level(700, solver=4_000, temperature=0.02),
        Level(6000, solver=200_000),
    )

    def position(self, match: Match) -> MazePosition:
        return MazePosition(match.state)

    def text(self, position: MazePosition, code: int) -> str:
        table = position.table
        return str(table.walls[code]) if code < table.count else str(code - table.count + 1)

    def solved(self, position: MazePosition, limit: int) -> Solved | None:
        if len(position.points) - len(position.gone) > 2:
            if position.beside is None or position.unfilled.bit_count() > UNFILLED_FOR_SEVERAL:
                return None
            return solve_for_several(position, limit // PRICE_FOR_SEVERAL)
        if position.beside is not None:
            return solve_filling(position, limit)
        untouched = len(position.reached())
        if untouched == 1 and limit >= LAST_WALL:
            return solve_last_wall(position, limit)
        small = untouched <= UNTOUCHED and position.table.size <= UP_TO
        return solve_last_walls(position, limit) if small and limit >= LAST_WALLS else None

    def whole(self, position: MazePosition) -> Solved | None:
        if len(position.points) > 2:
            return None
        if position.beside is not None:
            return self.solved(position, EXACT) if position.unfilled.bit_count() <= UNFILLED else None
        if position.table.size <= LARGEST:
            return _solve_drawing(position)
        return self.solved(position, EXACT) if len(position.reached()) == 1 else None

    def hidden(self, position: MazePosition, code: int) -> float:
        """Return 1 for a corridor of more than three fills whose last section the mover will fill, else 0."""
        if position.beside is None:
            return 0.0
        section, left, fills = code - position.table.count, position.unfilled, 1
        while True:
            left &= ~(1 << section)
            ways = position.beside[section] & left
            if ways.bit_count() != 1:
                return float(not ways and fills > 3 and fills % 2 == 1)
            section = ways.bit_length() - 1
            fills += 1

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        if options["size"] > LARGEST:
            raise Unsolvable(f'"Maze" can be solved for two players on grids up to {LARGEST} by {LARGEST}.')
        return solve_game(options["size"])
