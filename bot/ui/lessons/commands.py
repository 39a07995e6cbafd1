"""`/learn`: the lesson of a game."""

from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.interactions.acting import Interaction
from bot.ui.interactions.reply import respond
from bot.ui.lessons.steps import show_lessons


class Lessons(commands.Cog):
    """Lessons."""

    @app_commands.command(description="Learn a game in two minutes, by doing.")
    @app_commands.describe(game="the game to learn (default: you choose from a menu)")
    @app_commands.choices(game=autocomplete.HOSTED_CHOICES)
    async def learn(self, interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        await respond(interaction, show_lessons, game.value if game else None)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Lessons())
