"""The form into which a move can be typed."""

from functools import singledispatch
from typing import Any

from discord import ui

from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import FormButton
from bot.ui.kit.answers.forms import Form
from bot.ui.kit.answers.reply import Response
from bot.ui.moves.play import play
from rules.core.prompt import CellPrompt, NumberPrompt, Prompt, SegmentPrompt, StepPrompt


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
