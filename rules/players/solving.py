"""Parts that solvers of several games share."""

from collections.abc import Callable, Sequence
from contextlib import suppress


class BudgetSpent(Exception):
    """A solver would have to look at more positions than it may."""


def keepers(moves: Sequence[int], reaches: Callable[[int, int], bool]) -> tuple[float, list[int]]:
    """Return the mover's share of the win, and the moves that keep it: all of them if the budget lasts, at least one.

    `reaches` tells if the mover can end ahead by so many points after a move. Raises BudgetSpent before any proof.
    """
    for share, points in ((1.0, 1), (0.5, 0)):
        found = next((number for number, move in enumerate(moves) if reaches(move, points)), None)
        if found is not None:
            kept = [moves[found]]
            with suppress(BudgetSpent):  # what is in the list by then stays there
                kept.extend(move for move in moves[found + 1 :] if reaches(move, points))
            return share, kept
    return 0.0, list(moves)
