"""`/preferences` and `/settings`: what members choose for themselves, and managers for their server."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.entry.preferences import block, show_preferences, unblock
from bot.entry.servers import in_servers
from bot.entry.settings import show_settings

Interaction = discord.Interaction[Any]


class Choices(commands.Cog):
    """Choosing how things are."""

    @app_commands.command(description="Choose how things are for you.")
    async def preferences(self, interaction: Interaction) -> None:
        await show_preferences(interaction)

    @app_commands.command(description="Play no games with a member, who is not told.")
    @app_commands.describe(member="who shall not challenge you nor join your games")
    async def block(self, interaction: Interaction, member: discord.User) -> None:
        await block(interaction, member.id)

    @app_commands.command(description="Take a block back.")
    @app_commands.describe(member="whom you have blocked")
    async def unblock(self, interaction: Interaction, member: discord.User) -> None:
        await unblock(interaction, member.id)

    @app_commands.command(description="Set how things are in this server.")
    @in_servers
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: Interaction) -> None:
        await show_settings(interaction)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Choices())
