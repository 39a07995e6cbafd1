"""A button for each legal move, where there are at most five."""

from typing import Any

from discord import ui

from bot.app.matches.table import Table
from bot.ui.moves.choices import Choice, describe_moves
from bot.ui.moves.play import PlayButton
from rules.core.game import Seat
from rules.core.prompt import Prompt

BUTTON_LIMIT = 5
"""Buttons that fit into one row."""

LONGEST = 40
"""Characters of a label that a phone shows in full; Discord allows 80."""


def button_row(prompt: Prompt, table: Table, seat: Seat) -> ui.ActionRow[Any]:
    """Return a row with a button for each move; its label says what the move does."""
    choices = describe_moves(table.match, seat, prompt.choices)
    return ui.ActionRow(
        *(PlayButton(table.id, table.shown, choice.text, _label(choice)) for choice in choices)
    )


def _label(choice: Choice) -> str:
    effect, _, _ = choice.effect.partition(":")
    label = f"{choice.text}, {effect}" if effect else choice.text
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"
