"""Skull's computer player, which plays exactly on every board.

- `position.py`: the fast position; `player.py`: the player.
"""

from rules.players.games.skull.player import SkullPlayer

__all__ = ["SkullPlayer"]
