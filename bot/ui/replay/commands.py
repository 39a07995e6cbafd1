"""What was played: `/history`, `/export`, `/import`."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.errors import Refused
from bot.app.history import search_for
from bot.ui import autocomplete
from bot.ui.kit.acting import Interaction, place_of
from bot.ui.kit.reply import refuse, respond
from bot.ui.replay.history import show_history
from bot.ui.replay.records import export, import_record
from db.api.matches import Outcome

RESULTS = [app_commands.Choice(name=outcome.value, value=outcome.value) for outcome in Outcome]


class Memory(commands.Cog):
    """Looking back."""

    @app_commands.command(description="The games that were finished here.")
    @app_commands.describe(
        game="only this game",
        member="only games of this member",
        opponent="only games against this member",
        result="only games that ended so for the member (left out: for you)",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES, result=RESULTS)
    async def history(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        member: discord.User | None = None,
        opponent: discord.User | None = None,
        result: app_commands.Choice[str] | None = None,
    ) -> None:
        try:
            search = search_for(
                place_of(interaction),
                interaction.user.id,
                game=game.value if game else None,
                member=member.id if member else None,
                opponent=opponent.id if opponent else None,
                outcome=Outcome(result.value) if result else None,
            )
        except Refused as refusal:
            await refuse(interaction, refusal)
        else:
            await respond(interaction, show_history, search)

    @app_commands.command(description="A game as a file, for programs or for later.")
    @app_commands.describe(game="its number, if it is not the only one here")
    @app_commands.autocomplete(game=autocomplete.watchable_games)
    async def export(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, export, game)

    @app_commands.command(name="import", description="Watch a game from a file; only you see it.")
    @app_commands.describe(file="a record, as /export writes it")
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        await respond(interaction, import_record, file)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Memory())
