"""`/leaderboard`: who won most in this server."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.entry import completion
from bot.entry.desk import desk_of
from bot.entry.reply import NOBODY
from bot.entry.servers import in_servers
from bot.entry.standing import leaderboard
from rules.games import find

SHOWN = 20
"""Members on one board."""


class Standings(commands.Cog):
    """Reading the results."""

    @app_commands.command(description="Who won most in this server.")
    @app_commands.describe(game="which game (left out: all together)")
    @app_commands.choices(game=completion.HOSTED)
    @in_servers
    async def leaderboard(
        self, interaction: discord.Interaction[Any], game: app_commands.Choice[str] | None = None
    ) -> None:
        assert interaction.guild_id is not None
        key = game.value if game else None
        rows = await desk_of(interaction).matches.standings(interaction.guild_id, key, SHOWN)
        title = f"Leaderboard of {find(key).sheet.title if key else 'all games'}"
        await interaction.response.send_message(leaderboard(title, rows), allowed_mentions=NOBODY)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Standings())
