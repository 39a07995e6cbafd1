"""Takebacks: an entry of the stored log that says how many plies count from there on.

The stored log only ever grows, so `(match, ply)` guards takebacks as it guards moves, and a button of a position that
was taken back never fits another position. The plies that still count are the match and its record.
"""

import re
from collections.abc import Sequence

from bot.app.errors import Refused
from bot.app.matches.positions import position
from rules.core.game import Seat
from rules.core.match import LEAVING, Match, Ply

_BACK = re.compile(r"back to (?P<plies>[0-9]+)")


def back_to(plies: int) -> Ply:
    """The entry after which only the first `plies` plies still count."""
    return Ply(None, f"back to {plies}")


def back(entry: Ply) -> int | None:
    """The number of plies that count after this entry; None if it is not a takeback."""
    found = _BACK.fullmatch(entry.text) if entry.seat is None else None
    return int(found["plies"]) if found else None


def counting(log: Sequence[Ply]) -> tuple[int, ...]:
    """The indices in a stored log of the plies that count."""
    if all(seat is not None for seat, _ in log):
        return tuple(range(len(log)))  # Nobody has taken back anything, as in most matches.
    kept: list[int] = []
    for index, entry in enumerate(log):
        plies = back(entry)
        if plies is None:
            kept.append(index)
        else:
            del kept[plies:]
    return tuple(kept)


def target(match: Match, seat: Seat) -> int:
    """The number of plies that remain when `seat` takes back its last move and everything after it.

    A move that was the only legal one was no choice, so the one before is taken back with it. Raises Refused if a
    takeback is impossible, even with consent.
    """
    plies = _last_choice(match, seat)
    if plies is None:
        raise Refused("You have not moved yet, so there is nothing to take back.")
    for index in range(plies, len(match.log)):
        who, text = match.log[index]
        if index in match.secrets:
            raise Refused("Secret moves, and moves that were revealed, cannot be taken back.")
        if who is None:
            raise Refused("Chance has acted since your move; that cannot be taken back.")
        if text in LEAVING:
            raise Refused("Somebody has left since your move; that cannot be taken back.")
    return plies


def _last_choice(match: Match, seat: Seat) -> int | None:
    """The index of the last ply of `seat` at which it had a choice; None if it never had one."""
    own = [index for index, (who, text) in enumerate(match.log) if who == seat and text not in LEAVING]
    return next((index for index in reversed(own) if _choice(position(match.setup, match.log[:index]))), None)


def _choice(match: Match) -> bool:
    moves = match.legal()
    return moves is None or len(moves) > 1
