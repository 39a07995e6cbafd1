"""The controls under a board: how each kind of prompt is asked, and what is always there."""

from functools import singledispatch
from typing import Any

from discord import ui

from bot.app.table import Table
from bot.entry.asking import handful, narrowing, steps
from bot.entry.asking.groups import FEW
from bot.entry.asking.menu import menu
from bot.entry.asking.typed import TypeButton
from bot.entry.more import MoreButton
from rules.core.game import Seat
from rules.core.prompt import Prompt, StepPrompt

Rows = list[ui.ActionRow[Any]]


def controls(prompt: Prompt, table: Table, seat: Seat) -> Rows:
    """Rows that ask `seat` for what `prompt` asks, on the board as everybody sees it."""
    last: ui.ActionRow[Any] = ui.ActionRow(TypeButton(table.id, table.shown), MoreButton(table.id))
    return [*_asked(prompt, table, seat), last]


@singledispatch
def _asked(prompt: Prompt, table: Table, seat: Seat) -> Rows:
    """The moves to press or choose: buttons, one select, or two selects one after the other."""
    if len(prompt.choices) <= handful.HANDFUL:
        return [handful.row(prompt, table, seat)]
    if len(prompt.choices) <= FEW:
        return [ui.ActionRow(menu(table, seat, prompt.choices, "Choose your move."))]
    return [ui.ActionRow(narrowing.first(prompt, table))]


_asked.register(StepPrompt, steps.rows)
