"""Moves that a player presses, chooses or types as a whole."""

from functools import singledispatch
from typing import Any

import discord
from discord import ui

from bot.ui.interactions.acting import Acting, Interaction
from bot.ui.interactions.buttons import FormButton
from bot.ui.interactions.forms import Form
from bot.ui.interactions.reply import Response, answer, dismiss
from bot.ui.moves.targets import BoardTarget, MatchTarget, MoveControl, Target
from rules.core.prompt import CellPrompt, NumberPrompt, Prompt, SegmentPrompt, StepPrompt


class PlayButton(
    MoveControl[ui.Button[Any]], template=r"play:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<text>.{1,60})"
):
    """Plays one move."""

    words = frozenset({"text"})

    def __init__(
        self,
        target: BoardTarget,
        plies: int,
        text: str,
        label: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.primary,
    ) -> None:
        self.target, self.plies, self.text = target, plies, text
        custom_id = target.custom_id("play", plies, text)
        super().__init__(ui.Button(label=label or text, style=style, custom_id=custom_id))

    async def answer(self, acting: Acting) -> Response:
        return await self.target.play(acting, self.text, self.plies)

    async def callback(self, interaction: Interaction) -> None:
        await answer(interaction, self.checked_answer, changing=True)
        if isinstance(self.target, MatchTarget):
            await dismiss(interaction)


class PlaySelect(MoveControl[ui.Select[Any]], template=r"pick:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Plays the chosen move. Only boards of version 0.1 have such menus."""

    def __init__(self, target: BoardTarget, plies: int) -> None:
        self.target, self.plies = target, plies
        super().__init__(ui.Select(custom_id=target.custom_id("pick", plies)))

    async def answer(self, acting: Acting) -> Response:
        return await self.target.play(acting, self.item.values[0], self.plies)

    async def callback(self, interaction: Interaction) -> None:
        await super().callback(interaction)
        await dismiss(interaction)


async def play_by_command(acting: Acting, match: int | None, text: str) -> Response:
    """Play a move by its text. `match` None means the match in this channel that waits for this member."""
    chosen = await acting.services.matches.pick(acting.user, acting.place, match, on_turn=True)
    return await MatchTarget(chosen).play(acting, text, None)


class TypeButton(
    FormButton, MoveControl[ui.Button[Any]], template=r"type:(?P<match>[0-9]+):(?P<plies>[0-9]+)"
):
    """Opens the form for a move."""

    def __init__(self, target: BoardTarget, plies: int) -> None:
        self.target, self.plies = target, plies
        super().__init__(ui.Button(label="Type a move", custom_id=target.custom_id("type", plies)))

    async def form(self, acting: Acting) -> Form:
        matches = await self.target.matches(acting)
        table, _, prompt = await matches.prompt_for(self.target.match, acting.user, self.plies)
        return TypeForm(table.name, self.target, self.plies, prompt)


class TypeForm(Form):
    """A form with one line for a move."""

    def __init__(self, title: str, target: Target, plies: int, prompt: Prompt) -> None:
        super().__init__(title)
        self.target, self.plies = target, plies
        self.line: ui.TextInput[Any] = ui.TextInput(
            placeholder=f"for example {prompt.example}", max_length=100, custom_id="move"
        )
        self.add_item(ui.Label(text="Your move", description=how_to_write(prompt), component=self.line))

    async def answer(self, acting: Acting) -> Response:
        return await self.target.play(acting, self.line.value, self.plies)


@singledispatch
def how_to_write(prompt: Prompt) -> str:
    """Say in at most 100 characters how the answer to this kind of prompt is written."""
    return prompt.ask


@how_to_write.register
def _cell(prompt: CellPrompt) -> str:
    return "Name a cell by the letter of its column and the number of its row."


@how_to_write.register
def _step(prompt: StepPrompt) -> str:
    return prompt.how or "Name the cell that you go to by the letter of its column and the number of its row."


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
