"""The player of "Maze"."""

from typing import ClassVar

from rules.core.match import Match
from rules.players.games.maze.position import MazePosition
from rules.players.player import SearchPlayer
from rules.players.uct import Tuning


class MazePlayer(SearchPlayer[MazePosition]):
    """A player of "Maze"."""

    key = "maze"
    tuning: ClassVar[Tuning] = Tuning()

    def position(self, match: Match) -> MazePosition:
        return MazePosition(match.state)

    def text(self, position: MazePosition, code: int) -> str:
        table = position.table
        return str(table.walls[code]) if code < table.count else str(code - table.count + 1)
