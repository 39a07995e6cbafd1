"""Computer players: one search for every game, exact play where a game allows, five levels.

- `choose.py`: the one function that decides a move.
- `position.py`: the fast positions that are searched; `rules_position.py` makes one of any game's rules.
- `uct.py`: the search.
- `player.py`: the contract of a game's player; `levels.py`: what makes a level weaker or stronger.
- `games/`: one module or package per game with its fast position, its solver and its knowledge, found by name.
- `review.py`: what the moves of a finished game were worth.
- `bestmove.py`, `solve.py`, `review.py` are also the text interfaces `python -m rules bestmove`, `solve` and `review`.
"""
