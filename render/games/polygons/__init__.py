"""Polygons & Dots: a sheet of dotted paper, one closed path, and at the end the regions that it encloses."""

from render.games.polygons import picture, words
from render.games.polygons.picture import ICONS, MARK

__all__ = ["ICONS", "MARK", "picture", "words"]
