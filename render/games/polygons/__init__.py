"""Polygons & Dots: a sheet of dotted paper, one closed path, and the reveal of what it encloses."""

from render.games.polygons import picture, words

__all__ = ["picture", "words"]
