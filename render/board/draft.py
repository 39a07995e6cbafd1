"""What a player is about to play, on the board as they see it: a row of which some cards are laid."""

from dataclasses import replace
from functools import singledispatch

from rules.core.match import Observation


@singledispatch
def laid(view: object, row: str) -> object:
    """`view` as it looks when its observer has laid `row` so far. Each game that asks for a row registers its own."""
    raise LookupError(f"No row can be laid on {type(view).__name__}: add a module to render/games.")


def with_row(observation: Observation, row: str) -> Observation:
    """The observation of a player who has laid `row`, the first letters of a move, and has not played it yet."""
    return replace(observation, board=laid(observation.board, row))
