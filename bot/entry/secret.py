"""Moves for one's own eyes: a hand that only its owner is shown, a row that is sealed, words that are searched."""

import re
from functools import singledispatch
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.table import Table
from bot.entry.desk import desk_of, place_of
from bot.entry.item import Kept
from bot.entry.more import MoreButton
from bot.entry.pictures import picture
from bot.entry.playing import PlayButton
from bot.entry.reply import Said, answer, refuse
from rules.core.errors import RuleError
from rules.core.prompt import Prompt, RowPrompt, WordsPrompt

Interaction = discord.Interaction[Any]


def secret_controls(table: Table) -> ui.ActionRow[Any]:
    """What a public board offers while moves are hidden: the same to everybody."""
    return ui.ActionRow(HandButton(table.id, table.shown), MoreButton(table.id))


class HandButton(Kept[ui.Button[Any]], template=r"hand:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Shows a player, and nobody else, what they hold and what they are asked."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label="Look and move", style=style, custom_id=f"hand:{match}:{plies}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> Said:
            desk = desk_of(interaction)
            table, seat, prompt = await desk.matches.asked(self.match, interaction.user.id, self.plies)
            view: ui.View = ui.View(timeout=None)
            for item in _answers(prompt, table):
                view.add_item(item)
            theme = await desk.theme(place_of(interaction), interaction.user.id)
            return Said(f"**{table.name}**: {prompt.ask}", view, await picture(table, theme, seat))

        await answer(interaction, act)


@singledispatch
def _answers(prompt: Prompt, table: Table) -> tuple[ui.Item[Any], ...]:
    """The buttons under a hand."""
    raise LookupError(f"Nobody knows how to ask {type(prompt).__name__} in secret.")


@_answers.register
def _row(prompt: RowPrompt, table: Table) -> tuple[ui.Item[Any], ...]:
    return (HiddenTypeButton(table.id, table.shown, "Lay the row"),)


@_answers.register
def _words(prompt: WordsPrompt, table: Table) -> tuple[ui.Item[Any], ...]:
    stop = PlayButton(table.id, table.shown, prompt.stop)
    return HiddenTypeButton(table.id, table.shown, "Name some"), stop


class HiddenTypeButton(Kept[ui.Button[Any]], template=r"hidden:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Asks for a hidden move, or several, to be typed."""

    def __init__(self, match: int, plies: int, label: str = "Type") -> None:
        self.match, self.plies = match, plies
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label=label, style=style, custom_id=f"hidden:{match}:{plies}"))

    async def callback(self, interaction: Interaction) -> None:
        try:
            table, _, prompt = await desk_of(interaction).matches.asked(
                self.match, interaction.user.id, self.plies
            )
        except Refused as refusal:
            await refuse(interaction, refusal)
        else:
            await interaction.response.send_modal(_form(prompt, table))


@singledispatch
def _form(prompt: Prompt, table: Table) -> ui.Modal:
    """The form that asks for hidden moves."""
    raise LookupError(f"Nobody knows how to ask {type(prompt).__name__} in secret.")


class RowForm(ui.Modal):
    """One row of cards; shown once more before it is sealed."""

    def __init__(self, prompt: RowPrompt, table: Table) -> None:
        super().__init__(title="Lay your row", custom_id=f"row:{table.id}")
        self.match, self.plies = table.id, table.shown
        self.line: ui.TextInput[Any] = ui.TextInput(
            placeholder="R B B R ...", min_length=1, max_length=100, custom_id="row"
        )
        hint = f"{prompt.reds} times R and {prompt.blacks} times B, from left to right"
        self.add_item(ui.Label(text="Your row", description=hint, component=self.line))

    async def on_submit(self, interaction: Interaction) -> None:
        async def act() -> Said:
            user = interaction.user.id
            text = await desk_of(interaction).matches.would_play(self.match, user, self.line.value)
            view: ui.View = ui.View(timeout=None)
            view.add_item(PlayButton(self.match, self.plies, text, label="Seal it"))
            return Said(f"Seal this row? You cannot change it afterwards.\n```\n{text}\n```", view)

        await answer(interaction, act)


class WordsForm(ui.Modal):
    """Many words at once; each gets its own answer."""

    def __init__(self, prompt: WordsPrompt, table: Table) -> None:
        super().__init__(title="Name what you have found", custom_id=f"words:{table.id}")
        self.match = table.id
        self.text: ui.TextInput[Any] = ui.TextInput(
            style=discord.TextStyle.paragraph, placeholder="RBR RBBR ...", max_length=1000, custom_id="words"
        )
        self.add_item(ui.Label(text="One or many", description="with a space between", component=self.text))

    async def on_submit(self, interaction: Interaction) -> None:
        async def act() -> str:
            words = re.split(r"[\s,;]+", self.text.value.strip())[:MOST_WORDS]
            lines = [await self._name(interaction, word) for word in words if word]
            return "\n".join(lines)[:2000] or "You named nothing."

        await answer(interaction, act)

    async def _name(self, interaction: Interaction, word: str) -> str:
        desk = desk_of(interaction)
        try:
            table = await desk.matches.play(self.match, interaction.user.id, word)
        except (Refused, RuleError) as refusal:
            return f"- {refusal}"
        return f"- `{table.match.log[-1].text}` counts."


MOST_WORDS = 40
"""Answered in one message of 2,000 characters."""

_form.register(RowPrompt, RowForm)
_form.register(WordsPrompt, WordsForm)
