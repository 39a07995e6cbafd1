"""A button for each legal move, where they are few enough."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import pairwise
from typing import Any

import discord
from discord import ui

import render
from bot.app.matches.table import Table
from bot.ui.moves.buttons.directions import ARROWS
from bot.ui.moves.play import PlayButton
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.notation import Cell, read_cell
from rules.core.prompt import Prompt, SegmentPrompt


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move by its canonical text, its effect in a few words ("" if there is none to tell), and the points that
    its player gains by it: their own beyond what each of the choices brings, less what it brings the others."""

    text: str
    effect: str
    gain: int


def describe_moves(match: Match, seat: Seat, texts: Iterable[str]) -> list[Choice]:
    """Play each of these legal moves of `seat`, which takes some milliseconds per move, and return its effect.

    If all of several moves have the same effect, it is left out.
    """
    found = [_choice(match, seat, text) for text in texts]
    usual = min((own for _, own in found), default=0) if len(found) > 1 else 0
    choices = [replace(choice, gain=choice.gain - usual) for choice, _ in found]
    if len({choice.effect for choice in choices}) == 1 < len(choices):
        return [replace(choice, effect="") for choice in choices]
    return choices


def _choice(match: Match, seat: Seat, text: str) -> tuple[Choice, int]:
    """The choice, its gain with all points of its player's own, and these points."""
    after = match.play(seat, text)
    _, _, effect = render.caption(after.observe(None)).partition(", ")
    if not match.scores or not after.scores:
        return Choice(text, effect, 0), 0
    changes = [new - old for old, new in zip(match.scores, after.scores, strict=True)]
    own = changes.pop(seat)
    return Choice(text, effect, own - sum(changes)), own


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


@singledispatch
def short_names(prompt: Prompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Return the name of each of these moves, by its canonical text. `chosen` is True if the member chose a part that
    all of them share."""
    return {move: move for move in moves}


@short_names.register
def _segments(prompt: SegmentPrompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Lines that share one end are named by the other; one that bends gets arrows for its two directions.

    Lines from side to side have no end that the last move left: there a shared end must be chosen to be known.
    """
    if prompt.sides and not chosen:
        return {move: move for move in moves}
    parts = {move: move.split("-") for move in moves}
    if prompt.bends:
        alike = len({start for start, *_ in parts.values()}) == 1
        names = {move: _bent(places) if alike else move for move, places in parts.items()}
    else:
        shared = set.intersection(*map(set, parts.values()))
        names = {
            move: "-".join(place for place in places if place not in shared) for move, places in parts.items()
        }
    return (
        names
        if all(names.values()) and len(set(names.values())) == len(names)
        else {move: move for move in moves}
    )


def _bent(places: Sequence[str]) -> str:
    """The end of a line, after an arrow for each of its directions if it has two."""
    cells = [read_cell(place, place) for place in places]
    ways = "".join(ARROWS[_way(*leg)] for leg in pairwise(cells)) if len(cells) > 2 else ""
    return f"{ways} {places[-1]}".strip()


def _way(start: Cell, end: Cell) -> tuple[int, int]:
    return _sign(end.column - start.column), _sign(end.row - start.row)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
