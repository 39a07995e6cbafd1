"""Alaric's computer player: exact play on rings of up to 16 cells, search on larger ones.

- `position.py`: the fast position; `capture.py`: what a stone takes off.
- `classes.py`: positions with rotations and reflections taken out; `retrograde.py` solves a ring from its ends.
- `compiled.py`: the same with numba, for rings of up to 19 cells.
- `table.py`: decided positions in a file; `tables/` holds those of 9 to 16 cells, `python -m
  rules.players.games.alaric` makes them again.
- `traps.py`: the choice among moves of equal value; `player.py`: the player.
"""

from rules.players.games.alaric.player import AlaricPlayer

__all__ = ["AlaricPlayer"]
