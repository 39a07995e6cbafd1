"""The computer player of Polygons & Dots.

- `plane.py`: directions on the lattice, and the regions of a closed path counted by whole numbers.
- `position.py`: the position that is searched; `player.py`: the player.
"""

from rules.players.games.polygons.player import PolygonsPlayer

__all__ = ["PolygonsPlayer"]
