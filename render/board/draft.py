"""A move that is not complete yet, shown on the board as its player sees it: a row with some of its cards laid."""

from dataclasses import replace
from functools import singledispatch

from rules.core.match import Observation


@singledispatch
def lay_row(view: object, row: str) -> object:
    """Return `view` as it looks when its observer has laid `row` so far. Each game with such a
    prompt registers its own function."""
    raise LookupError(f"No row can be laid on {type(view).__name__}: add a module to render/games.")


def with_row(observation: Observation, row: str) -> Observation:
    """Return the observation of a player who has laid `row`, the first letters of a move, but not played it yet."""
    return replace(observation, board=lay_row(observation.board, row))
