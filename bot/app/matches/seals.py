"""Seals: the hash of each sealed move is shown at once, and the hashed text when all are opened.

With both, anybody can check that the move was not changed in between. The salt keeps the hash from being guessed,
because there are few enough moves to try them all, and from showing that two players have sealed the same.
"""

from dataclasses import dataclass
from hashlib import sha256

from bot.app.matches.table import Table
from bot.app.matches.takebacks import counting
from rules.core.game import Seat

DIGITS = 64
"""Hexadecimal digits of a hash."""
SHOWN_DIGITS = 16
"""Those that stand on the board: 64 bits, which bind, since the salt is not the player's to choose; two hashes fit into
one line on a phone."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of a move of `seat`: the SHA-256 of `text` in DIGITS digits.

    `text` is the salt, a space and the move as the record has it; None until the seal is opened.
    """

    seat: Seat
    digest: str
    text: str | None


def seals(table: Table) -> tuple[Seal, ...]:
    """The seals of the latest round of sealed moves, in the order in which they were made."""
    return tuple(seal for ply in table.match.sealed if (seal := _seal(table, ply)) is not None)


def _seal(table: Table, ply: int) -> Seal | None:
    """The seal of a ply; None for a move that was made before there were seals."""
    salt, (seat, move) = table.stored.salts[counting(table.stored.log)[ply]], table.match.log[ply]
    if salt is None or seat is None:
        return None
    text = f"{salt} {move}"
    return Seal(seat, sha256(text.encode()).hexdigest(), text if table.match.opened else None)
