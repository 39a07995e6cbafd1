"""The board in letters, for screen readers and for whoever prefers them."""

from discord import ui

import render
from bot.app.table import Table
from bot.entry.question import question
from bot.entry.reply import Said
from bot.entry.seals import seal_lines
from db.values import DiscordId
from rules.core.game import Seat

LONGEST = 4000
"""Characters of all texts in a message of components."""
WORDS = 1000
"""Characters in which any position can be told."""
FEWEST_WORDS = 40
"""Characters below which words are not worth beginning."""


def letters(table: Table, user: DiscordId) -> Said:
    """The board in letters for one member, with what only they may know."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(in_letters(table, table.seat_of(user))))
    return Said("", view)


def in_letters(table: Table, observer: Seat | None) -> str:
    """The position in as many words as fit, what is asked, the position as a drawing in letters, and the seals."""
    seen = table.match.observe(observer)
    asked = question(table, observer)
    board = "\n".join([f"```\n{render.text_board(seen)}\n```", *seal_lines(table)])
    room = LONGEST - len(board) - len(asked) - len(table.name) - len("****\n\n\n")
    words = render.alt(seen, min(WORDS, room)) if room >= FEWEST_WORDS else ""
    return "\n".join(part for part in (f"**{table.name}**", words, asked, board) if part)
