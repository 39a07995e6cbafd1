"""The board in letters, for screen readers and for whoever prefers them."""

import render
from bot.app.table import Table
from bot.entry.seals import seal_lines

LONGEST = 2000
"""Characters of a message."""
WORDS = 700
"""Characters in which any position can be told."""
FEWEST_WORDS = 40
"""Characters below which words are not worth beginning."""


def in_letters(table: Table) -> str:
    """The position as a drawing in letters, the seals, and as many words as fit beside them into one message."""
    seen = table.match.observe(None)
    board = "\n".join([f"```\n{render.text_board(seen)}\n```", *seal_lines(table)])
    room = LONGEST - len(board) - len(table.name) - len("****\n\n")
    words = render.alt(seen, min(WORDS, room)) if room >= FEWEST_WORDS else ""
    return f"**{table.name}**\n{words}\n{board}"
