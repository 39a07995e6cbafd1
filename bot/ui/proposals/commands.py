"""`/draw`, `/takeback` and `/rematch`: proposals to the other players of a game."""

from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.challenges.rematches import ask_for_rematch
from bot.ui.interactions.acting import Interaction
from bot.ui.interactions.reply import respond
from bot.ui.proposals.message import propose
from db.values.proposals import Matter


class Proposals(commands.Cog):
    """Commands for which all players must agree."""

    @app_commands.command(description="Offer a draw.")
    @app_commands.describe(game="the game, if you play several here")
    @app_commands.autocomplete(game=autocomplete.my_games)
    async def draw(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, propose, game, Matter.DRAW)

    @app_commands.command(description="Ask to take back your last move.")
    @app_commands.describe(game="the game, if you play several here")
    @app_commands.autocomplete(game=autocomplete.my_games)
    async def takeback(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, propose, game, Matter.TAKEBACK)

    @app_commands.command(description="Ask for a rematch: the same players, everybody one seat on.")
    @app_commands.describe(game="the game, if not your last one in this channel")
    @app_commands.autocomplete(game=autocomplete.my_finished_games)
    async def rematch(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, ask_for_rematch, game)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Proposals())
