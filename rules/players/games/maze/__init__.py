"""The computer player of "Maze"."""

from rules.players.games.maze.player import MazePlayer

__all__ = ["MazePlayer"]
