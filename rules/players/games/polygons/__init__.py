"""The computer player of Polygons & Dots.

- `plane.py`: directions on the lattice, and the regions of a closed path counted by whole numbers.
- `position.py`: the position that is searched; `narrow.py`: the same with fewer points to choose from.
- `joining.py`: exact play of the joining phase; `two_dots.py`: the whole game with two dots each.
- `player.py`: the player.
"""

from rules.players.games.polygons.player import PolygonsPlayer

__all__ = ["PolygonsPlayer"]
