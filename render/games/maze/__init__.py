""" "Maze" of Polygonal Sections: thick walls, and corridors that fill up string by string."""

from render.games.maze import picture, words

__all__ = ["picture", "words"]
