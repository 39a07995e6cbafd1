"""Moves for one's own eyes: the same board for everybody, and behind its button what only its player sees."""

from functools import singledispatch
from typing import Any

import discord
from discord import ui

from bot.app.table import Table
from bot.entry.asking.rows import laying
from bot.entry.asking.words import hunting
from bot.entry.desk import desk_of
from bot.entry.item import Kept
from bot.entry.more import MoreButton
from bot.entry.reply import Said, answer
from rules.core.game import Seat
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
            matches = desk_of(interaction).matches
            table, seat, prompt = await matches.asked(self.match, interaction.user.id, self.plies)
            return await _ask(prompt, interaction, table, seat)

        await answer(interaction, act)


@singledispatch
async def _ask(prompt: Prompt, interaction: Interaction, table: Table, seat: Seat) -> Said:
    """The message that asks a player in secret."""
    raise LookupError(f"Nobody knows how to ask {type(prompt).__name__} in secret.")


@_ask.register
async def _row(prompt: RowPrompt, interaction: Interaction, table: Table, seat: Seat) -> Said:
    return await laying(interaction, table, seat, prompt)


@_ask.register
async def _words(prompt: WordsPrompt, interaction: Interaction, table: Table, seat: Seat) -> Said:
    return await hunting(interaction, table, seat, prompt)
