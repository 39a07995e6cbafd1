"""A select of all moves, where there are a few."""

from typing import Any

import discord
from discord import ui

from bot.entry.item import Kept
from bot.entry.playing import play
from rules.core.prompt import Prompt

Interaction = discord.Interaction[Any]


class PlaySelect(Kept[ui.Select[Any]], template=r"pick:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Plays the move that is chosen."""

    def __init__(self, match: int, plies: int, prompt: Prompt | None = None) -> None:
        self.match, self.plies = match, plies
        options = [discord.SelectOption(label=text) for text in (prompt.choices if prompt else ())]
        placeholder = prompt.ask if prompt else None
        custom_id = f"pick:{match}:{plies}"
        super().__init__(ui.Select(custom_id=custom_id, placeholder=placeholder, options=options))

    async def callback(self, interaction: Interaction) -> None:
        await play(interaction, self.match, self.plies, self.item.values[0])
