"""`python -m rules puzzles GAME`: makes the puzzles of a game again, one line for each, in the order of the stock.

Games are played at random and looked at from their ends, where the solvers can prove the value of every move. The
same program always makes the same puzzles.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.errors import BadSetup
from rules.core.game import Game
from rules.core.match import Match
from rules.games import find
from rules.puzzles.proof import Prover, Unproved
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import RECIPES, Recipe

FIRST = 3
"""Plies that were played at least: a nearly empty board takes long to prove, and says little."""
PATIENCE = 1_000
"""Games in a row without a new puzzle after which there are taken to be no more."""
FROM_ONE_GAME = 2
"""The most puzzles that are taken from one game: they resemble each other."""


def make(key: str) -> Iterator[Puzzle]:
    """Yield the puzzles of a game. Raises BadSetup."""
    game = find(key)
    if game.key not in RECIPES:
        raise BadSetup(f"There are no puzzles of {game.sheet.title}; there are of {', '.join(RECIPES)}.")
    for recipe in RECIPES[game.key]:
        yield from _of_size(game, recipe)


def _of_size(game: Game[Any, Any], recipe: Recipe) -> Iterator[Puzzle]:
    chance = random.Random(f"{game.key} {dict(recipe.options)}")  # noqa: S311 - the same puzzles every time
    prover, seen = Prover(game, draws=recipe.draws), set[int]()
    plain = int(recipe.number * recipe.plain)
    made = empty = 0
    while made < recipe.number and empty < PATIENCE:
        taken, empty = 0, empty + 1
        for match in reversed(_positions(game, recipe.options, chance)):
            try:
                puzzle = prover.puzzle(match)
            except Unproved:
                break  # the positions before are harder still
            if puzzle is None or (puzzle.only_moves == 1 and (not plain or puzzle.plies == 1)):
                continue
            if match.position_key in seen:
                continue
            seen.add(match.position_key)
            plain -= puzzle.only_moves == 1
            yield puzzle
            made, taken, empty = made + 1, taken + 1, 0
            if taken == FROM_ONE_GAME or made == recipe.number:
                break


def _positions(game: Game[Any, Any], options: Mapping[str, int], chance: random.Random) -> list[Match]:
    """Return the positions of a game of random moves, without its start and its end."""
    match = Match.start(game, options, 2)
    found = []
    while not match.over:
        if len(match.log) >= FIRST:
            found.append(match)
        moves = match.legal()
        assert moves is not None
        match = match.play(match.to_move[0], chance.choice(moves))
    return found
