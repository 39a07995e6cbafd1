"""A button for each legal move, where they are few enough."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import discord
from discord import ui

from bot.app.matches.table import Table
from bot.ui.moves.buttons.names import short_names
from bot.ui.moves.choices import Choice, describe_moves
from bot.ui.moves.play import PlayButton
from rules.core.game import Seat
from rules.core.prompt import Prompt

ON_BOARD = 20
"""Buttons that a board has room for: with all else on it, 20 stay below the 40 components of a message."""

ACROSS = 5
"""Buttons that fit into one row."""

_ACROSS_ON_PHONE = ((4, 5), (3, 9))
"""Buttons that fit into one row on a phone, by the characters of the longest label. Longer labels break anyway."""

LONGEST = 40
"""Characters of a label that a phone shows in full; Discord allows 80."""


def button_rows(prompt: Prompt, table: Table, seat: Seat, moves: Iterable[str]) -> list[ui.ActionRow[Any]]:
    """Return rows of buttons for these moves. A label says what the move does: in words where they are at most five
    and the words are few, else by the points that it wins or gives away."""
    choices = describe_moves(table.match, seat, moves)
    names = short_names(prompt, [choice.text for choice in choices])
    buttons = [_button(table, choice, names, in_words=len(choices) <= ACROSS) for choice in choices]
    return [ui.ActionRow(*row) for row in even_rows(buttons)]


def move_button(table: Table, choice: Choice, name: str) -> PlayButton:
    """Return a button with the name of a move and the points that it wins or gives away."""
    label = f"{name} {signed(choice.gain)}" if choice.gain else name
    return PlayButton(table.id, table.shown, choice.text, label, style(choice))


def style(choice: Choice) -> discord.ButtonStyle:
    """Return the colour of a move: green if it wins points, grey if it gives some away."""
    if choice.gain > 0:
        return discord.ButtonStyle.success
    return discord.ButtonStyle.secondary if choice.gain < 0 else discord.ButtonStyle.primary


def signed(points: int) -> str:
    """Return points with their sign, like `+1`."""
    return f"{points:+}".replace("-", "\N{MINUS SIGN}")


def even_rows(buttons: Sequence[PlayButton]) -> Iterable[Sequence[PlayButton]]:
    """Divide buttons into as few rows as a phone shows without breaking one, whose lengths differ by at most one."""
    longest = max(len(button.item.label or "") for button in buttons)
    across = next((number for number, most in _ACROSS_ON_PHONE if longest <= most), ACROSS)
    count = -(-len(buttons) // across)
    bounds = [-(-len(buttons) * row // count) for row in range(count + 1)]
    return [buttons[low:high] for low, high in pairwise(bounds)]


def _button(table: Table, choice: Choice, names: Mapping[str, str], *, in_words: bool) -> PlayButton:
    name = names[choice.text]
    effect, _, _ = choice.effect.partition(":")
    if not in_words or not effect:
        return move_button(table, choice, name)
    label = f"{name}, {effect}"
    if len(label) > LONGEST:
        return move_button(table, choice, name)
    return PlayButton(table.id, table.shown, choice.text, label, style(choice))
