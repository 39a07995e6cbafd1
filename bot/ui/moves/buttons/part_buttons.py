"""Buttons for parts of the legal moves: on the board for everybody, then in an answer for the member alone, under a
picture of what is on offer."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import discord
from discord import ui

import render
from bot.app.matches.table import Table
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Said, change, private
from bot.ui.kit.content.layout import gallery, message
from bot.ui.kit.content.pictures import candidates_picture
from bot.ui.moves.buttons.legal_moves import describe_moves, even_rows, move_button, short_names, signed
from bot.ui.moves.buttons.parts import Part, Window, divide, part_at
from bot.ui.moves.play import PlayButton
from rules.core.game import Seat
from rules.core.prompt import Prompt, SegmentPrompt

Rows = list[ui.ActionRow[Any]]

_POINTS = f"{signed(1)[0]} is what the move wins for you, {signed(-1)[0]} what it gives away."
_SIGNED = re.compile(f" [{signed(1)[0]}{signed(-1)[0]}][0-9]+$")


class PartButton(
    PersistentItem[ui.Button[Any]],
    template=r"part:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<path>[0-9.]{0,40})",
):
    """Opens a part of the legal moves. `path` holds the index of the part, after those of the parts that it is in, each
    followed by a dot; "" is all moves."""

    words = frozenset({"path"})

    def __init__(self, match: int, plies: int, path: str, label: str = "Back", *, back: bool = False) -> None:
        self.match, self.plies, self.path = match, plies, path
        style = discord.ButtonStyle.secondary if back else discord.ButtonStyle.primary
        super().__init__(ui.Button(label=label, style=style, custom_id=f"part:{match}:{plies}:{path}"))

    async def answer(self, acting: Acting) -> Said | None:
        said = await part_question(acting, self.match, self.plies, self.path)
        if not private(acting.interaction):
            return said
        await change(acting, said)
        return None


async def part_question(acting: Acting, match: int, plies: int, path: str) -> Said:
    """Return the private message with a picture of what is on offer in a part, and its buttons. Raises Refused."""
    table, seat, prompt = await acting.services.matches.prompt_for(match, acting.user, plies)
    part = part_at(prompt, path)
    rows = await asyncio.to_thread(part_rows, prompt, table, seat, path)
    candidates = candidates_of(prompt, part)
    file = await candidates_picture(table, seat, await acting.theme(), candidates)
    text = f"**{table.name}**: {prompt.ask}{_told(prompt, part)}{points_explained(rows)}"
    picture = gallery(file.filename, file.description or "")
    return Said("", message(text, picture, *rows, *_back(table, path)), file)


def _told(prompt: Prompt, part: Part) -> str:
    """Say what has been chosen so far."""
    if not part.name:
        return ""
    if part.place is None:
        return f" Here: **{part.name}**."
    to = isinstance(prompt, SegmentPrompt) and prompt.ends_first
    return f" {'To' if to else 'From'} **{part.name}**."


def points_explained(rows: Rows) -> str:
    """Return a line that explains the points on buttons; "" if there are none."""
    labels = [item.item.label or "" for row in rows for item in row.children if isinstance(item, PlayButton)]
    return f"\n-# {_POINTS}" if any(map(_SIGNED.search, labels)) else ""


def part_rows(prompt: Prompt, table: Table, seat: Seat, path: str = "") -> Rows:
    """Return rows with a button for each part of a part, or for each of its moves if they are few."""
    part = part_at(prompt, path)
    parts = divide(prompt, part)
    if parts:
        return list(_part_rows(table, parts, path))
    choices = {choice.text: choice for choice in describe_moves(table.match, seat, part.moves)}
    names = short_names(prompt, part.moves, chosen=True)
    buttons = {text: move_button(table, choice, names[text]) for text, choice in choices.items()}
    if part.window is None:
        return [ui.ActionRow(*row) for row in even_rows(list(buttons.values()))]
    return [
        ui.ActionRow(*(buttons.get(str(cell)) or _gap(str(cell)) for cell in row))
        for row in part.window.cells
    ]


def _part_rows(table: Table, parts: tuple[tuple[Part, ...], ...], path: str) -> Iterator[ui.ActionRow[Any]]:
    index = 0
    for row in parts:
        items: list[ui.Item[Any]] = []
        for part in row:
            button = PartButton(table.id, table.shown, f"{path}{index}.", part.name)
            items.append(button if part.moves else _gap(part.name))
            index += 1
        yield ui.ActionRow(*items)


def _gap(name: str) -> ui.Button[Any]:
    """A button that keeps the others in their places."""
    return ui.Button(label=name, disabled=True, custom_id=f"gap:{name}")


def _back(table: Table, path: str) -> Rows:
    """The button that leads back from a part of a part; from a part, the board is the way back."""
    *before, _ = path.split(".")[:-1] or [""]
    if not before:
        return []
    parent = "".join(f"{index}." for index in before)
    return [ui.ActionRow(PartButton(table.id, table.shown, parent, back=True))]


def candidates_of(prompt: Prompt, part: Part) -> render.Candidates:
    """The marks in the picture of a part: places if a place is asked for next, else moves."""
    parts = [it for row in divide(prompt, part) for it in row if it.moves]
    places = tuple(it.place for it in parts if it.place is not None)
    outlines = tuple(_outline(it.window) for it in parts if it.window is not None)
    window = None if part.window is None else _outline(part.window)
    return render.Candidates(tuple(dict.fromkeys(places)) or part.moves, part.place, window, outlines)


def _outline(window: Window) -> render.Outline:
    return render.Outline(window.first, window.last)
