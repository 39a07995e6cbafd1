"""`/hint` and `/review`, and **Play on from here** in the menu of a message."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.interactions.acting import Interaction
from bot.ui.interactions.reply import respond
from bot.ui.review.hint import give_hint
from bot.ui.review.review import play_on, show_review


class ReviewCommands(commands.Cog):
    """Help from the computer players."""

    def __init__(self, bot: commands.Bot) -> None:
        self.bot = bot
        self.menu = app_commands.ContextMenu(name="Play on from here", callback=self.from_menu)

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.menu)

    async def cog_unload(self) -> None:
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    async def from_menu(self, interaction: Interaction, message: discord.Message) -> None:
        await respond(interaction, play_on, message)

    @app_commands.command(
        description="Show a good move in a casual game; the board says that you took a hint."
    )
    @app_commands.describe(game="which game, if several wait for you")
    @app_commands.autocomplete(game=autocomplete.my_games)
    async def hint(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, give_hint, game)

    @app_commands.command(description="Look at the moments that decided a finished game; only you see it.")
    @app_commands.describe(game="the number of the game; your last one if left out")
    @app_commands.autocomplete(game=autocomplete.my_finished_games)
    async def review(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, show_review, game)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(ReviewCommands(bot))
