""" "Maze" of Polygonal Sections: thick walls, and corridors that are filled string by string."""

from render.games.maze import picture, words
from render.games.maze.picture import ICONS, MARK

__all__ = ["ICONS", "MARK", "picture", "words"]
