"""Seals as members see them: one small line on the board, and behind More the whole proof with how to check it."""

from collections.abc import Iterable
from typing import Any

from discord import ui

import render
from bot.app.errors import Refused
from bot.app.matches.table import DIGITS, SHOWN_DIGITS, Seal, Table, seals
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Acting, Said

CHECK = (
    f"A sealed move cannot be changed. Its board shows at once the first {SHOWN_DIGITS} digits of a SHA-256 hash, and"
    f" **Proof** behind **More** shows all {DIGITS}. The hashed text is a random salt, a space and the move.\nOnce all"
    " moves are opened, **Proof** shows that text, too; any SHA-256 tool turns it into the same digits, for example"
    " `printf %s 'the text' | sha256sum`."
)
"""Tells how to check a seal."""


def seal_lines(table: Table) -> list[str]:
    """Return one small line with the first digits of all seals, none if there are no seals."""
    sealed = seals(table)
    each = " · ".join(
        f"{render.seat_mark(seal.seat)}\N{NO-BREAK SPACE}`{seal.digest[:SHOWN_DIGITS]}`" for seal in sealed
    )
    return [f"-# sealed: {each}"] if sealed else []


class ProofButton(PersistentItem[ui.Button[Any]], template=r"proof:(?P<match>[0-9]+)"):
    """Shows the seals of a game in full."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Proof", custom_id=f"proof:{match}"))

    async def answer(self, acting: Acting) -> Said:
        table = await acting.services.matches.shown(acting.user, acting.place, self.match)
        sealed = seals(table)
        if not sealed:
            raise Refused(f"Nothing is sealed in {table.name}.")
        return Said(f"**{table.name}**: the seals\n{proof(sealed)}\n\n{CHECK}")


def proof(sealed: Iterable[Seal]) -> str:
    """Return lines with the whole hashes, and with the hashed texts once the moves are opened."""
    return "\n".join(map(_whole, sealed))


def _whole(seal: Seal) -> str:
    line = f"{render.seat_mark(seal.seat)} sealed `{seal.digest}`"
    return line if seal.text is None else f"{line}\nwhich is the SHA-256 of `{seal.text}`"
