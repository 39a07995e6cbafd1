"""Levels: what makes a player weaker or stronger."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MOST_LEVELS = 7
"""A game has at most so many levels: 1 for a beginner, its last for the strongest player there is."""
EXACT = 5
"""The lowest level that plays exactly wherever a position can be solved in less than a second."""


@dataclass(frozen=True, slots=True)
class Level:
    """The means of one level.

    `nodes` is the budget of the search in playouts, `solver` the budget of the game's solver in positions (0 leaves it
    out). `temperature` is that of the softmax by which one of the moves is chosen by value (0 takes the best).
    `overlooked` is the chance with which a move that the game calls hard to see is overlooked.
    """

    nodes: int
    solver: int = 0
    temperature: float = 0.0
    overlooked: float = 0.0


DEFAULT = (
    Level(40, temperature=0.25, overlooked=0.6),
    Level(120, temperature=0.10, overlooked=0.4),
    Level(400, temperature=0.04, overlooked=0.2),
    Level(1500, solver=20_000),
    Level(6000, solver=500_000),
)
"""Levels of a game that has none of its own."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A level, or the strongest level with so many nodes or CPU seconds instead of its own. One of them is given.

    A level above the last one of a game, such as MOST_LEVELS, stands for the last one.
    A level does not search a position with a single legal move, because the move can be played without a search. With
    `with_value` it searches such a position too, so that the choice has a value.
    """

    level: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    with_value: bool = False

    def __post_init__(self) -> None:
        if [self.level, self.nodes, self.seconds].count(None) != 2:
            raise ValueError("A budget is a level, a number of nodes or a number of seconds.")


STRONGEST = Budget(level=MOST_LEVELS, with_value=True)

_FILE = Path(__file__).with_name("calibration.json")


@cache
def _known() -> dict[str, dict[str, list[int]]]:
    return json.loads(_FILE.read_text(encoding="utf-8")) if _FILE.exists() else {}


def score(game: str, level: int) -> int | None:
    """Return the score of a level, counted from 1, or None if this level of the game was not calibrated."""
    known = _known().get(game, {}).get("scores", [])
    return known[level - 1] if level <= len(known) else None
