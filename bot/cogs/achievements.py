"""`/achievements`: what a member has earned."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.entry.achievements import show_achievements


class Achievements(commands.Cog):
    """Reading what was earned."""

    @app_commands.command(description="What a member has earned, and the games that prove it.")
    @app_commands.describe(member="whose (left out: yours, with hints at what is still to be earned)")
    async def achievements(
        self, interaction: discord.Interaction[Any], member: discord.User | None = None
    ) -> None:
        await show_achievements(interaction, (member or interaction.user).id)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Achievements())
