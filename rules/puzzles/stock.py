"""The puzzles of the stock: a file of lines for each game, which `python -m rules puzzles GAME` makes again."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

from rules.puzzles.puzzle import Puzzle, read
from rules.puzzles.recipes import RECIPES

FOLDER = Path(__file__).with_name("stock")

HARDEST = 4
"""Only moves in a row from which on puzzles count as equally hard."""
_WEEK = (1, 1, 2, 2, 3, 3, HARDEST)
"""The only moves of a day's puzzle, from Monday to Sunday: the week begins with the easy ones."""
_FIRST = date(2026, 1, 5)


@cache
def stock() -> Mapping[str, Puzzle]:
    """Return all puzzles by name, game by game."""
    puzzles = (puzzle for key in RECIPES for puzzle in of_game(key))
    return {puzzle.name: puzzle for puzzle in puzzles}


@cache
def of_game(key: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game; none if there are none of it."""
    path = FOLDER / f"{key}.jsonl"
    return tuple(map(read, path.read_text().splitlines())) if path.exists() else ()


def of_day(day: date) -> Puzzle:
    """Return the puzzle of a day, the same everywhere: another game every day, harder towards the end of the week."""
    number = (day - _FIRST).days
    games = [key for key in RECIPES if of_game(key)]
    # Each week begins with another game, so that no game has the same day of the week for ever.
    game = games[(number + number // 7) % len(games)]
    wanted = _WEEK[day.weekday()]
    puzzles = of_game(game)
    near = min(abs(min(puzzle.only_moves, HARDEST) - wanted) for puzzle in puzzles)
    fitting = [puzzle for puzzle in puzzles if abs(min(puzzle.only_moves, HARDEST) - wanted) == near]
    fitting.sort(key=lambda puzzle: puzzle.name)  # names are in no order of sizes or games
    return fitting[number // 7 % len(fitting)]
