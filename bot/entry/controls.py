"""The controls under a board: buttons for a handful of moves, a select for a few, typing for many."""

from typing import Any

from discord import ui

from bot.entry.asking.menu import PlaySelect
from bot.entry.asking.typed import TypeButton
from bot.entry.more import MoreButton
from bot.entry.playing import PlayButton
from rules.core.prompt import Prompt

HANDFUL = 5
"""Moves that still fit into one row of buttons."""

FEW = 25
"""Options that a select may hold."""


def controls(prompt: Prompt, match: int, plies: int) -> list[ui.ActionRow[Any]]:
    """Rows that ask for what `prompt` asks, on the board of `match` as it stands after `plies` plies."""
    rows: list[ui.ActionRow[Any]] = []
    if 0 < len(prompt.choices) <= HANDFUL:
        rows.append(ui.ActionRow(*(PlayButton(match, plies, text) for text in prompt.choices)))
    elif HANDFUL < len(prompt.choices) <= FEW:
        rows.append(ui.ActionRow(PlaySelect(match, plies, prompt)))
    rows.append(ui.ActionRow(TypeButton(match, plies), MoreButton(match)))
    return rows
