"""The computer player of X's and Lines.

- `tracks.py`: what each line runs over and crosses; `position.py`: the position that is searched.
- `player.py`: the player.
"""

from rules.players.games.xlines.player import XLinesPlayer

__all__ = ["XLinesPlayer"]
