"""Steps as arrows: a compass around one place, or a row for each of a few places."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import ui

from bot.app.matches.table import Table
from bot.ui.moves.choices import Choice, describe_moves
from bot.ui.moves.play import PlayButton
from rules.core.game import Seat
from rules.core.notation import Cell
from rules.core.prompt import Step, StepPrompt

Rows = list[ui.ActionRow[Any]]
Way = tuple[int, int]

PLAIN = "\N{VARIATION SELECTOR-15}"
"""Keeps phones from drawing the slanted arrows as coloured pictures beside the straight ones."""

ARROWS: Mapping[Way, str] = {
    (-1, 1): f"↖{PLAIN}", (0, 1): "↑", (1, 1): f"↗{PLAIN}",
    (-1, 0): "←", (1, 0): "→",
    (-1, -1): f"↙{PLAIN}", (0, -1): "↓", (1, -1): f"↘{PLAIN}",
}  # fmt: skip

_ACROSS = (-1, 0, 1)


def rows(prompt: StepPrompt, table: Table, seat: Seat) -> Rows:
    """Buttons with arrows. Around a single place from which one may step slantwise they are a compass."""
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
    label = f"{ARROWS[step.way]} {step.text}"
    if choice.gain > 0:
        return PlayButton(
            table.id, table.shown, step.text, f"{label} +{choice.gain}", discord.ButtonStyle.success
        )
    return PlayButton(table.id, table.shown, step.text, label)


def _compass(origin: Cell, buttons: Mapping[Way, PlayButton]) -> Iterator[ui.ActionRow[Any]]:
    """Three rows of three, the place itself in the middle; where no step leads is a button that cannot be pressed."""
    for up in reversed(_ACROSS):
        places: Sequence[Way] = [(right, up) for right in _ACROSS]
        yield ui.ActionRow(*(buttons.get(way) or _gap(origin, way) for way in places))


def _gap(origin: Cell, way: Way) -> ui.Button[Any]:
    # As wide as a name, so that the rows stand in columns.
    nothing = "–" * len(str(origin))
    label = f"{ARROWS[way]} {nothing}" if any(way) else f"• {origin}"
    return ui.Button(label=label, disabled=True, custom_id=f"gap:{way[0]}:{way[1]}")
