"""A move that is not complete yet, shown on the board as its player sees it.

It is a row with some of its cards laid, or the first card of a stretch.
"""

from dataclasses import replace
from functools import singledispatch

from rules.core.match import Observation


@singledispatch
def lay_row(view: object, row: str, rest: str, chosen: int) -> object:
    """Return `view` as it looks when its observer has laid `row` so far.

    `rest` are the cards still in the hand, in an order, or "" in no order. `chosen` is the card of both, counted from
    1, that is to change places, 0 for none. Each game with such a prompt registers its own function.
    """
    raise LookupError(f"No row can be laid on {type(view).__name__}: add a module to render/games.")


def with_row(observation: Observation, row: str, rest: str = "", chosen: int = 0) -> Observation:
    """Return the observation of a player who has laid `row`, the first letters of a move, but not played it yet.

    `rest` is the proposed order of the cards still in the hand, and `chosen` the card that is to change places.
    """
    return replace(observation, board=lay_row(observation.board, row, rest, chosen))


@singledispatch
def point_at(view: object, card: int) -> object:
    """Return `view` as it looks when its observer has pointed at a card of the other row, counted from 1.

    Each game with such a prompt registers its own function.
    """
    raise LookupError(f"No card of {type(view).__name__} can be pointed at: add a module to render/games.")


def with_first(observation: Observation, card: int) -> Observation:
    """Return the observation of a player who has pointed at the first card of a stretch, but not yet at the last."""
    return replace(observation, board=point_at(observation.board, card))
