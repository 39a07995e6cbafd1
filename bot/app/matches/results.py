"""The result of a match as places, and whether it is a result that ratings go by."""

from collections import Counter

from rules.core.game import Seat
from rules.core.match import LEAVING, Match

FEWEST = 2
"""Moves that every seat must have made before a match counts for ratings."""


def counts(match: Match) -> bool:
    """Whether a match has come to a result after a few moves by each side.

    Until then nobody can lose by leaving, and nobody can win by it.
    """
    moves = Counter(seat for seat, text in match.log if text not in LEAVING)
    return bool(match.winners) and all(moves[seat] >= FEWEST for seat in range(match.setup.players))


def places(match: Match) -> tuple[int, ...]:
    """The place of each seat in a match that has come to a result: from 1, and equal where it is shared.

    First those who win; then those who stayed, by their points where there are any; then those who left, and of these
    who left first comes last.
    """
    merits = [_merit(match, seat) for seat in range(match.setup.players)]
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def _merit(match: Match, seat: Seat) -> tuple[int, int]:
    """What a place is decided by: the higher the better."""
    left = [who for who, _ in match.left]
    if seat in (match.winners or ()):
        return 2, 0
    if seat in left:
        return 0, left.index(seat)
    return 1, 0 if match.scores is None else match.scores[seat]
