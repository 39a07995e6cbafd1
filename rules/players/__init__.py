"""Computer players: one search for every game, exact play where a game allows it, levels.

- `choose.py`: the computer player of a game, and the one function that chooses a move.
- `position.py`: the fast positions that are searched, and a slow one that works for the rules of any game.
- `uct.py`: the search.
- `player.py`: the contract of a game's player; `levels.py`: what makes a level weaker or stronger.
- `games/`: one module or package per game with its fast position, its solver and its knowledge, found by name.
- `review.py`: the worth of the moves of a finished game.
- `explore.py`: the worth of every move of a position.
- `bestmove.py`, `solve.py`, `review.py` are also the text interfaces `python -m rules bestmove`, `solve` and `review`.
"""
