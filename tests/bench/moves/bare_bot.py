"""`python -m tests.bench.moves.bare_bot URL FOLDER`: the least that a bot must do for a press.

Its button puts the picture `next.png` of FOLDER into the message, with discord.py and nothing else.
"""

import asyncio
import re
import sys
from pathlib import Path
from typing import Any, Self

import discord
from discord import ui
from discord.ext import commands

from bot.startup.local_discord import TOKEN, point_discord_py_at

Interaction = discord.Interaction[Any]
PICTURE = "next.png"


class BareButton(ui.DynamicItem[ui.Button[Any]], template="bare"):
    """Shows the picture that is ready; only acknowledges if there is none."""

    folder = Path()

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Go", custom_id="bare"))

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str]) -> Self:
        return cls()

    async def callback(self, interaction: Interaction) -> None:
        picture = self.folder / PICTURE
        files = [discord.File(picture)] if picture.exists() else []
        await interaction.response.edit_message(attachments=files)


class BareBot(commands.AutoShardedBot):
    """A bot with one command, which posts the button."""

    def __init__(self) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned, intents=discord.Intents(guilds=True), max_messages=None
        )

    async def setup_hook(self) -> None:
        @self.tree.command(description="Post the button.")
        async def begin(interaction: Interaction) -> None:
            view = ui.View(timeout=None)
            view.add_item(BareButton())
            await interaction.response.send_message("Ready.", view=view)

        self.add_dynamic_items(BareButton)
        await self.tree.sync()


async def main(url: str, folder: Path) -> None:
    BareButton.folder = folder
    point_discord_py_at(url)
    async with BareBot() as bot:
        await bot.start(TOKEN)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
