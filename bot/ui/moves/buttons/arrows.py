"""Steps as buttons with arrows: a compass around one cell, or a row for each of a few cells."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from discord import ui

from bot.app.matches.table import Table
from bot.ui.moves.buttons.directions import ARROWS, Way
from bot.ui.moves.buttons.legal_moves import ACROSS, move_button
from bot.ui.moves.choices import Choice, describe_moves
from bot.ui.moves.play import PlayButton
from rules.core.game import Seat
from rules.core.notation import Cell
from rules.core.prompt import Step, StepPrompt

_ACROSS = (-1, 0, 1)
MOST_ROWS = 4
"""Rows of five arrows that a board has room for."""


def arrows_fit(prompt: StepPrompt) -> bool:
    """Return True if a board has room for a row of arrows for each cell where steps start."""
    origins = Counter(step.origin for step in prompt.steps)
    return len(origins) == 1 or (len(origins) <= MOST_ROWS and max(origins.values()) <= ACROSS)


def arrow_rows(prompt: StepPrompt, table: Table, seat: Seat) -> list[ui.ActionRow[Any]]:
    """Return a button with an arrow for each step: a compass if all start at one cell and one of them is diagonal."""
    choices = {choice.text: choice for choice in describe_moves(table.match, seat, prompt.choices)}
    buttons = {step: _button(table, step, choices[step.text]) for step in prompt.steps}
    origins = list(dict.fromkeys(step.origin for step in prompt.steps))
    if len(origins) == 1 and any(all(step.way) for step in prompt.steps):
        return list(_compass(origins[0], {step.way: button for step, button in buttons.items()}))
    return [
        ui.ActionRow(*(button for step, button in buttons.items() if step.origin == origin))
        for origin in origins
    ]


def _button(table: Table, step: Step, choice: Choice) -> PlayButton:
    return move_button(table, choice, f"{ARROWS[step.way]} {step.text}")


def _compass(origin: Cell, buttons: Mapping[Way, PlayButton]) -> Iterator[ui.ActionRow[Any]]:
    """Yield three rows of three buttons with the origin in the middle; those without a legal step are disabled."""
    for up in reversed(_ACROSS):
        ways: list[Way] = [(right, up) for right in _ACROSS]
        yield ui.ActionRow(*(buttons.get(way) or _gap(origin, way) for way in ways))


def _gap(origin: Cell, way: Way) -> ui.Button[Any]:
    # As wide as the name of a cell, so that the rows form columns.
    nothing = "–" * len(str(origin))
    label = f"{ARROWS[way]} {nothing}" if any(way) else f"• {origin}"
    return ui.Button(label=label, disabled=True, custom_id=f"gap:{way[0]}:{way[1]}")
