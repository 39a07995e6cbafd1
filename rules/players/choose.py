"""Decide a move: the one way into the computer players."""

from rules.core.errors import BadSetup
from rules.core.game import Seat
from rules.core.match import Match
from rules.players.catalogue import find_player
from rules.players.levels import Budget
from rules.players.player import Choice


def choose(match: Match, seat: Seat | None, budget: Budget, seed: int) -> Choice:
    """Decide a move for `seat`, or for the only seat on turn if that is None.

    The same match, seat, seed and budget of a level or nodes give the same choice. Raises BadSetup.
    """
    turn = match.to_move
    if not turn:
        raise BadSetup("This game is over.")
    if None in turn:
        raise BadSetup("Chance is to move: add its move to the record.")
    if seat is None:
        if len(turn) > 1:
            raise BadSetup('More than one seat is to move: name one, as in "seat": 0.')
        seat = turn[0]
    if seat is None or seat not in turn:
        due = " or ".join(str(other) for other in turn)
        raise BadSetup(f"Seat {seat} is not to move, but {due}.")
    return find_player(match.game).choose(match, seat, budget, seed)
