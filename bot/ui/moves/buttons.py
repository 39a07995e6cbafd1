"""A button for each move, where there are a handful."""

from typing import Any

from discord import ui

from bot.app.matches.table import Table
from bot.ui.moves.choices import Choice, describe_moves
from bot.ui.moves.play import PlayButton
from rules.core.game import Seat
from rules.core.prompt import Prompt

BUTTON_LIMIT = 5
"""Moves that fit into one row of buttons."""

LONGEST = 40
"""Characters of a label that a phone shows whole; Discord allows 80."""


def row(prompt: Prompt, table: Table, seat: Seat) -> ui.ActionRow[Any]:
    """The moves, each with what it does."""
    choices = describe_moves(table.match, seat, prompt.choices)
    return ui.ActionRow(*(PlayButton(table.id, table.shown, one.text, _label(one)) for one in choices))


def _label(choice: Choice) -> str:
    does, _, _ = choice.does.partition(":")
    label = f"{choice.text}, {does}" if does else choice.text
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"
