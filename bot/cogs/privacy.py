"""`/privacy`: what is kept of a member."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.entry.privacy import show_privacy


class Privacy(commands.Cog):
    """A member's hold on their own data."""

    @app_commands.command(description="What is kept of you: take it along, or have it deleted.")
    async def privacy(self, interaction: discord.Interaction[Any]) -> None:
        await show_privacy(interaction)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Privacy())
