"""Playing a move that was pressed, chosen or typed."""

from functools import singledispatch
from typing import Any

import discord
from discord import ui

import render
from bot.ui.kit.answers.acting import Acting, Interaction
from bot.ui.kit.answers.buttons import FormButton, PersistentItem
from bot.ui.kit.answers.forms import Form
from bot.ui.kit.answers.reply import Response, answer, dismiss
from rules.core.prompt import CellPrompt, NumberPrompt, Prompt, SegmentPrompt, StepPrompt


class PlayButton(
    PersistentItem[ui.Button[Any]], template=r"play:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<text>.{1,60})"
):
    """Plays one move."""

    words = frozenset({"text"})

    def __init__(
        self,
        match: int,
        plies: int,
        text: str,
        label: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.primary,
    ) -> None:
        self.match, self.plies, self.text = match, plies, text
        custom_id = f"play:{match}:{plies}:{text}"
        super().__init__(ui.Button(label=label or text, style=style, custom_id=custom_id))

    async def answer(self, acting: Acting) -> Response:
        return await play(acting, self.match, self.plies, self.text)

    async def callback(self, interaction: Interaction) -> None:
        await answer(interaction, self.checked_answer, changing=True)
        await dismiss(interaction)


async def play(acting: Acting, match: int | None, plies: int | None, text: str) -> str | None:
    """Play a move by its text and show the board.

    `match` None means the match in this channel that waits for this member. `plies` is the number of plies on the board
    that was used, None if no board was used.
    """
    chosen = await acting.services.matches.pick(acting.user, acting.place, match, on_turn=True)
    after = await acting.services.matches.play(chosen, acting.user, text, plies)
    await acting.display.show(chosen, after)
    seat = after.seat_of(acting.user)
    mine = after.match.seen(seat)
    if mine == after.match.seen(None):
        return None
    return f"You played `{mine[-1].text}`: {render.caption(after.match.observe(seat))}. Only you see this."


class TypeButton(FormButton, template=r"type:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Opens the form for a move."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        super().__init__(ui.Button(label="Type a move", custom_id=f"type:{match}:{plies}"))

    async def form(self, acting: Acting) -> Form:
        table, _, prompt = await acting.services.matches.prompt_for(self.match, acting.user, self.plies)
        return TypeModal(table.name, self.match, self.plies, prompt)


@singledispatch
def how_to_write(prompt: Prompt) -> str:
    """Say in at most 100 characters how the answer to this kind of prompt is written."""
    return prompt.ask


@how_to_write.register
def _cell(prompt: CellPrompt) -> str:
    return "Name a cell by the letter of its column and the number of its row."


@how_to_write.register
def _step(prompt: StepPrompt) -> str:
    return "Name the cell that you go to by the letter of its column and the number of its row."


@how_to_write.register
def _number(prompt: NumberPrompt) -> str:
    return "Enter the number that it has on the board."


@how_to_write.register
def _segment(prompt: SegmentPrompt) -> str:
    starts = {text.split("-")[0] for text in prompt.choices}
    free = f" You may leave out {starts.pop()}." if len(starts) == 1 else ""
    if prompt.bends:
        return f"Name its start, its corner if it turns, and its end, with hyphens between.{free}"
    return f"Name its start and its end, with a hyphen between.{free}"


class TypeModal(Form):
    """A form with one line for a move."""

    def __init__(self, title: str, match: int, plies: int, prompt: Prompt) -> None:
        super().__init__(title)
        self.match, self.plies = match, plies
        self.line: ui.TextInput[Any] = ui.TextInput(
            placeholder=f"for example {prompt.example}", max_length=100, custom_id="move"
        )
        self.add_item(ui.Label(text="Your move", description=how_to_write(prompt), component=self.line))

    async def answer(self, acting: Acting) -> Response:
        return await play(acting, self.match, self.plies, self.line.value)
