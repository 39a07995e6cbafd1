"""`/end`: what moderators need."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.entry import completion
from bot.entry.ending import end_game
from bot.entry.servers import in_servers


class Moderation(commands.Cog):
    """Keeping the peace."""

    @app_commands.command(description="For moderators: end a game, or take its result back; nobody wins.")
    @app_commands.describe(game="its number", reason="why; the board will say so")
    @app_commands.autocomplete(game=completion.games_here)
    @in_servers
    @app_commands.default_permissions(manage_messages=True)
    async def end(
        self,
        interaction: discord.Interaction[Any],
        game: int,
        reason: app_commands.Range[str, 1, 200],
    ) -> None:
        await end_game(interaction, game, reason)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Moderation())
