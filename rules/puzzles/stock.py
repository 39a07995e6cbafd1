"""The puzzles of the stock: a file of lines for each game, which `python -m rules puzzles GAME` makes again.

`RECIPES` are the sizes at which each game has puzzles with only moves, and how many of them are in the stock. The
puzzles with cards have recipes of their own (`rules/puzzles/cards.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from rules.puzzles.puzzle import CARDS, HARDEST, Puzzle, read


@dataclass(frozen=True, slots=True)
class Recipe:
    """At most `number` puzzles of one size of a game.

    At most a share of `plain` of them have a single only move, and at most a share of `draws` keep a draw.
    """

    options: Mapping[str, int]
    number: int
    plain: float = 0.3
    draws: float = 0.1
    """0 where a draw is no end but play that goes round and round."""


RECIPES: Mapping[str, tuple[Recipe, ...]] = {
    "skull": (
        Recipe({"width": 5, "height": 5}, 60),
        Recipe({"width": 6, "height": 5}, 240),
        Recipe({"width": 7, "height": 6}, 60),
    ),
    "alaric": (
        Recipe({"size": 9}, 60, draws=0),
        Recipe({"size": 11}, 180, draws=0),
        Recipe({"size": 13}, 180, draws=0),
        Recipe({"size": 14}, 60, draws=0),
    ),
    "xlines": (
        Recipe({"size": 5}, 60, 1.0),
        Recipe({"size": 6}, 180),
        Recipe({"size": 7}, 60),
    ),
    "polygons": (
        Recipe({"dots": 3, "size": 10}, 200),
        Recipe({"dots": 4, "size": 10}, 100),
    ),
    "spaghetti": (
        Recipe({"size": 4}, 150),
        Recipe({"size": 5}, 150),
    ),
    "maze": (
        Recipe({"size": 3}, 100, 0.6),
        Recipe({"size": 4}, 58, 0.78, 0.11),
    ),
    "cocomposite": (
        Recipe({"size": 4}, 100),
        Recipe({"size": 5}, 200),
    ),
}
PUZZLED = (*RECIPES, CARDS)
"""The keys of the games that have puzzles."""

FOLDER = Path(__file__).with_name("stock")
RETIRED = "retired"
"""The name of the file with puzzles that are no longer offered; no game has this key."""

ENOUGH = 20
"""Puzzles of one hardness that last for some months; fewer count as the next easier ones."""
_WEEK = (1, 1, 2, 2, 3, 3, HARDEST)
"""The difficulty of a day's puzzle, from Monday to Sunday: the week begins with the easy ones."""
_FIRST = date(2026, 1, 5)


@cache
def stock() -> Mapping[str, Puzzle]:
    """Return all puzzles by name, game by game, and those that are no longer offered."""
    puzzles = (*(puzzle for key in PUZZLED for puzzle in of_game(key)), *retired())
    return {puzzle.name: puzzle for puzzle in puzzles}


@cache
def of_game(key: str) -> tuple[Puzzle, ...]:
    path = FOLDER / f"{key}.jsonl"
    return tuple(map(read, path.read_text().splitlines())) if path.exists() else ()


@cache
def retired() -> tuple[Puzzle, ...]:
    """Return the puzzles of earlier stocks. Members have results in them, and messages with their buttons."""
    return tuple(map(read, (FOLDER / f"{RETIRED}.jsonl").read_text().splitlines()))


def of_day(day: date) -> Puzzle:
    """Return the puzzle of a day since 2026, which is the same everywhere.

    Each day has another game, and the puzzles become harder towards the end of the week. All puzzles of a game that are
    as hard come before one of them comes again.
    """
    return in_turn(day)[0]


def in_turn(day: date) -> list[Puzzle]:
    """Return the puzzle of a day, then those of its game that are as hard, the ones of the days before first."""
    return of_kind(*_kind((day - _FIRST).days), day)


def of_kind(game: str, hardness: int, day: date) -> list[Puzzle]:
    """Return the puzzles of one of the kinds of `by_hardness`, in the order in which they are asked.

    The next puzzle comes first, on `day` at the earliest, then the earlier ones, the last one first.
    """
    before = sum(_kind(number) == (game, hardness) for number in range((day - _FIRST).days))
    puzzles = by_hardness(game)[hardness]
    return [puzzles[(before - index) % len(puzzles)] for index in range(len(puzzles))]


@cache
def _kind(number: int) -> tuple[str, int]:
    """Return the game and the hardness of the puzzle of a day, which is counted from the first."""
    # There are eight games and seven days, so no game has the same day of the week for ever.
    game = PUZZLED[number % len(PUZZLED)]
    wanted = _WEEK[number % 7]
    return game, min(by_hardness(game), key=lambda hardness: abs(hardness - wanted))


@cache
def by_hardness(game: str) -> Mapping[int, tuple[Puzzle, ...]]:
    """Return the puzzles of a game by their difficulty, up to HARDEST."""
    found: dict[int, list[Puzzle]] = {hardness: [] for hardness in range(1, HARDEST + 1)}
    for puzzle in sorted(of_game(game), key=lambda puzzle: puzzle.name):  # names are in no order of sizes
        found[puzzle.difficulty].append(puzzle)
    for hardness in range(HARDEST, 1, -1):
        if len(found[hardness]) < ENOUGH:
            found[hardness - 1] += found.pop(hardness)
    return {hardness: tuple(puzzles) for hardness, puzzles in found.items()}
