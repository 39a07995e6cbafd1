"""`/help`, `/rules` and `/replay`: what one can do, how a game goes, who invented it, and how one went."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.entry import completion
from bot.entry.help import show_help
from bot.entry.replay import show_replay
from bot.entry.reply import NOBODY
from bot.entry.sheet import sheet
from rules.games import find


class About(commands.Cog):
    """Reading up on the games."""

    @app_commands.command(description="What you can do now, and all commands.")
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        await show_help(interaction)

    @app_commands.command(description="How a game goes, and where it comes from.")
    @app_commands.describe(game="which game")
    @app_commands.choices(game=completion.KNOWN)
    async def rules(self, interaction: discord.Interaction[Any], game: app_commands.Choice[str]) -> None:
        view = sheet(find(game.value))
        await interaction.response.send_message(view=view, ephemeral=True, allowed_mentions=NOBODY)

    @app_commands.command(description="Watch a game again, or step through it.")
    @app_commands.describe(
        game="its number, if it is not the only one here", move="the position after so many moves"
    )
    @app_commands.autocomplete(game=completion.games_seen)
    async def replay(
        self,
        interaction: discord.Interaction[Any],
        game: int | None = None,
        move: app_commands.Range[int, 0, 9999] | None = None,
    ) -> None:
        await show_replay(interaction, game, move)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(About())
