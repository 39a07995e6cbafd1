"""Skull's computer player, which plays exactly on every board.

- `position.py`: the fast position; `solver.py` solves it by search.
- `book.py`: who wins after the first skulls on large boards; `python -m rules.players.games.skull` writes it again.
- `player.py`: the player.
"""

from rules.players.games.skull.player import SkullPlayer

__all__ = ["SkullPlayer"]
