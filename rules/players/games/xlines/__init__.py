"""The computer player of X's and Lines.

- `tracks.py`: what each line runs over and crosses; `position.py`: the position that is searched.
- `lines.py`, `placing.py`: exact play of both phases; `compiled.py`: the same with numba, from the start.
- `openings.py`: proven replies for the first x's, in `openings.txt`.
- `player.py`: the player.
"""

from rules.players.games.xlines.player import XLinesPlayer

__all__ = ["XLinesPlayer"]
