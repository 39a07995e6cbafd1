"""The player of "Maze"."""

from collections.abc import Mapping
from typing import ClassVar

from rules.core.match import Match
from rules.players.games.maze.position import MazePosition
from rules.players.games.maze.solver import solve_filling, solve_last_wall
from rules.players.games.maze.whole import solve_game
from rules.players.levels import Level
from rules.players.player import SearchPlayer, Solution, Solved, Unsolvable
from rules.players.uct import Tuning

LAST_WALL = 5_000
"""Positions that a solver must be allowed at least to try the last wall of a maze."""

LARGEST = 3
"""The largest grid that is solved from its start."""


class MazePlayer(SearchPlayer[MazePosition]):
    """A player of "Maze"."""

    key = "maze"
    tuning: ClassVar[Tuning] = Tuning()
    solver_speed: ClassVar[int] = 150_000
    levels: ClassVar[tuple[Level, ...]] = (
        Level(15, temperature=0.6, overlooked=0.8),
        Level(40, temperature=0.25, overlooked=0.5),
        Level(120, temperature=0.10, overlooked=0.25),
        Level(400, solver=4_000, temperature=0.03),
        Level(6000, solver=200_000),
    )

    def position(self, match: Match) -> MazePosition:
        return MazePosition(match.state)

    def text(self, position: MazePosition, code: int) -> str:
        table = position.table
        return str(table.walls[code]) if code < table.count else str(code - table.count + 1)

    def solved(self, position: MazePosition, limit: int) -> Solved | None:
        if len(position.points) - len(position.gone) > 2:
            return None
        if position.beside is None:
            return solve_last_wall(position, limit) if limit >= LAST_WALL else None
        return solve_filling(position, limit)

    def hidden(self, position: MazePosition, code: int) -> float:
        """A corridor in which the mover will fill the last section is hard to see if it ends more than two fills on."""
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
