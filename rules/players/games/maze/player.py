"""The player of "Maze"."""

from typing import ClassVar

from rules.core.match import Match
from rules.players.games.maze.position import MazePosition
from rules.players.games.maze.solver import solve_filling
from rules.players.levels import Level
from rules.players.player import SearchPlayer, Solved
from rules.players.uct import Tuning


class MazePlayer(SearchPlayer[MazePosition]):
    """A player of "Maze"."""

    key = "maze"
    tuning: ClassVar[Tuning] = Tuning()
    solver_speed: ClassVar[int] = 150_000
    levels: ClassVar[tuple[Level, ...]] = (
        Level(30, temperature=0.25, overlooked=0.6),
        Level(100, temperature=0.10, overlooked=0.4),
        Level(300, temperature=0.04, overlooked=0.2),
        Level(1200, solver=5_000),
        Level(6000, solver=200_000),
    )

    def position(self, match: Match) -> MazePosition:
        return MazePosition(match.state)

    def text(self, position: MazePosition, code: int) -> str:
        table = position.table
        return str(table.walls[code]) if code < table.count else str(code - table.count + 1)

    def solved(self, position: MazePosition, limit: int) -> Solved | None:
        if position.beside is None or len(position.points) - len(position.gone) > 2:
            return None
        return solve_filling(position, limit)
