"""The sizes at which each game has puzzles, and how many of them are in the stock."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """At most `number` puzzles of one size of a game. At most `plain` of them, as a share, have a single only move."""

    options: Mapping[str, int]
    number: int
    plain: float = 0.3
    draws: bool = True
    """False where a draw is no end but play that goes round and round."""


RECIPES: Mapping[str, tuple[Recipe, ...]] = {
    "skull": (
        Recipe({"width": 5, "height": 5}, 60),
        Recipe({"width": 6, "height": 5}, 240),
        Recipe({"width": 7, "height": 6}, 60),
    ),
    "alaric": (
        Recipe({"size": 9}, 60, draws=False),
        Recipe({"size": 11}, 180, draws=False),
        Recipe({"size": 13}, 180, draws=False),
        Recipe({"size": 14}, 60, draws=False),
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
        Recipe({"size": 3}, 200),
        Recipe({"size": 4}, 40, 0.75),
    ),
    "cocomposite": (
        Recipe({"size": 4}, 100),
        Recipe({"size": 5}, 200),
    ),
}
