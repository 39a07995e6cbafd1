"""The result of a match as ranks, and the question if it counts for ratings."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rules.core.game import Seat
from rules.core.match import LEAVING, Match

FEWEST = 2
"""Moves that every seat must have made before a match counts for ratings."""


def counts(match: Match) -> bool:
    """True if a match has a result and every seat has made a few moves.

    Before that nobody's rating can lose by leaving, and nobody's can gain.
    """
    moves = Counter(seat for seat, text in match.log if text not in LEAVING)
    return bool(match.winners) and all(moves[seat] >= FEWEST for seat in range(match.setup.players))


def places(match: Match) -> tuple[int, ...]:
    """The rank of each seat in a match that has a result: from 1, equal where it is shared.

    The winners come first; then those who stayed, by their points if the game has any; then those who left, and the
    first who left comes last.
    """
    return ranked([_merit(match, seat) for seat in range(match.setup.players)])


def ranked(merits: Sequence[Any]) -> tuple[int, ...]:
    """The rank of each of these merits, of which a higher one is better: from 1, equal for equal ones."""
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def _merit(match: Match, seat: Seat) -> tuple[int, int]:
    """The key by which seats are ranked; higher is better."""
    left = [who for who, _ in match.left]
    if seat in (match.winners or ()):
        return 2, 0
    if seat in left:
        return 0, left.index(seat)
    return 1, 0 if match.scores is None else match.scores[seat]
