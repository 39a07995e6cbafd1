"""`/hint` and `/review`."""

from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.kit.acting import Interaction
from bot.ui.kit.reply import respond
from bot.ui.review import line  # noqa: F401 - its buttons register themselves
from bot.ui.review.hint import give_hint
from bot.ui.review.review import show_review


class ReviewCommands(commands.Cog):
    """Help from the computer players."""

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
    await bot.add_cog(ReviewCommands())
