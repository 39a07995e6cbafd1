"""Seals in words: what was sealed, and how anybody can check it."""

import render
from bot.app.seals import DIGITS, Seal, seals
from bot.app.table import Table

CHECK = (
    "**Seals.** A sealed move cannot be changed: the board shows at once how the SHA-256 of it begins, made of a random"
    f" salt, a space and the move.\nOnce all are opened it shows that text too; any SHA-256 tool turns it into the same"
    f" first {DIGITS} digits, for example `printf %s 'the text' | sha256sum`."
)
"""How to check a seal."""


def seal_lines(table: Table) -> list[str]:
    """A line for each seal on the table: the hash, and what was hashed as soon as it may be read."""
    return [_line(seal) for seal in seals(table)]


def _line(seal: Seal) -> str:
    said = f"-# {render.seat_mark(seal.seat)} sealed: `{seal.digest}`"
    return said if seal.text is None else f"{said} begins the SHA-256 of `{seal.text}`"
