""" "Maze" of Polygonal Sections: thick walls, and corridors that are filled string by string."""

from render.games.maze import picture, words

__all__ = ["picture", "words"]
