"""Seals: the board shows the hash of each sealed move at once, and the hashed text when all are opened.

With both, anybody can check that the move was not changed in between. The salt keeps the hash from being guessed,
because there are few enough moves to try them all, and from showing that two players have sealed the same.
"""

from dataclasses import dataclass
from hashlib import sha256

from bot.app.matches.table import Table
from bot.app.matches.takebacks import counting
from rules.core.game import Seat

DIGITS = 32
"""Hexadecimal digits of the hash that are shown: 128 bits, in one line on a phone."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of a move of `seat`: the first DIGITS digits of the SHA-256 of `text`.

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
    return Seal(seat, sha256(text.encode()).hexdigest()[:DIGITS], text if table.match.opened else None)
