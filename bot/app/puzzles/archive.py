"""The archive: which puzzles of the stock are offered, in which order. Those of the coming days are kept back."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import HARDEST, RECIPES, by_hardness, of_day, of_game, of_kind

KEPT_BACK = timedelta(days=56)
"""The time for which the puzzles of the coming days are not in the archive."""


def hardness(puzzle: Puzzle) -> int:
    """Return how hard a puzzle is: its only moves in a row, up to HARDEST."""
    return min(puzzle.only_moves, HARDEST)


def hardnesses(game: str) -> list[int]:
    """Return how hard the puzzles of a game are, the easiest first."""
    return sorted({hardness(puzzle) for puzzle in of_game(game)})


def kinds(game: str | None, hard: int | None, today: date) -> Iterator[list[Puzzle]]:
    """Yield the puzzles of the archive by kind, one list for each game and hardness that fits.

    Those of the last days come first.
    """
    coming = _coming(today)
    for key in RECIPES if game is None else (game,):
        for kind in by_hardness(key) if of_game(key) else ():
            following, *before = of_kind(key, kind, today)
            puzzles = (*before, following)
            fitting = [it for it in puzzles if it.name not in coming and hard in (None, hardness(it))]
            if fitting:
                yield fitting


@lru_cache(maxsize=2)
def _coming(today: date) -> frozenset[str]:
    """Return the names of the puzzles of today and of the coming days."""
    return frozenset(of_day(today + timedelta(days=day)).name for day in range(KEPT_BACK.days))
