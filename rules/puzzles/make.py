"""`python -m rules puzzles GAME`: makes the puzzles of a game again, one line for each, in the order of the stock.

Games are played at random and looked at from their ends, where the solvers can prove the value of every move. Left
out are puzzles that are solved by taking the most points at once, and those whose lines lead into another puzzle. The
same program always makes the same puzzles.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.errors import BadSetup
from rules.core.game import Game, Seat
from rules.core.match import Match
from rules.games import find
from rules.puzzles import cards
from rules.puzzles.proof import Prover, Unproved
from rules.puzzles.puzzle import CARDS, Puzzle
from rules.puzzles.stock import PUZZLED, RECIPES, Recipe

FIRST = 3
"""Plies that were played at least: a nearly empty board takes long to prove, and says little."""
PATIENCE = 1_000
"""Games in a row without a new puzzle after which there are taken to be no more."""
FROM_ONE_GAME = 2
"""The most puzzles that are taken from one game: they resemble each other."""


def make(key: str) -> Iterator[Puzzle]:
    """Yield the puzzles of a game. Raises BadSetup."""
    game = find(key)
    if game.key not in PUZZLED:
        raise BadSetup(f"There are no puzzles of {game.sheet.title}; there are of {', '.join(PUZZLED)}.")
    if game.key == CARDS:
        yield from cards.make()
        return
    for recipe in RECIPES[game.key]:
        yield from _of_size(game, recipe)


def _of_size(game: Game[Any, Any], recipe: Recipe) -> Iterator[Puzzle]:
    chance = random.Random(f"{game.key} {dict(recipe.options)}")  # noqa: S311 - the same puzzles every time
    prover, seen, within = Prover(game, draws=recipe.draws > 0), set[int](), set[int]()
    plain, draws = int(recipe.number * recipe.plain), int(recipe.number * recipe.draws)
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
            key, later = match.position_key, _later_keys(puzzle)
            if key in seen | within or not seen.isdisjoint(later) or obvious(puzzle):
                continue
            seen.add(key)
            within.update(later)
            plain -= puzzle.only_moves == 1
            draws -= puzzle.value < 1
            if not draws and recipe.draws:
                prover = Prover(game, draws=False)
            yield puzzle
            made, taken, empty = made + 1, taken + 1, 0
            if taken == FROM_ONE_GAME or made == recipe.number:
                break


def _later_keys(puzzle: Puzzle) -> list[int]:
    """Return the keys of the positions of a line in which its further only moves are to be found."""
    return [puzzle.after(found).position_key for found in range(1, puzzle.only_moves)]


def obvious(puzzle: Puzzle) -> bool:
    """Return True if each only move of a puzzle is the one move that wins the most points at once."""
    return all(
        most_points(puzzle.after(found), puzzle.seat) == [puzzle.line[2 * found]]
        for found in range(puzzle.only_moves)
    )


def most_points(match: Match, seat: Seat) -> list[str]:
    """Return the legal moves of `seat` after which its lead in points is the greatest: all moves without points."""
    leads = {text: _lead(match.play(seat, text), seat) for text in match.legal() or ()}
    return [text for text, lead in leads.items() if lead == max(leads.values())]


def _lead(match: Match, seat: Seat) -> int:
    """Return the points of a seat minus those of the other one; 0 where the game counts none yet."""
    scores = match.scores
    return 0 if scores is None else scores[seat] - scores[1 - seat]


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
