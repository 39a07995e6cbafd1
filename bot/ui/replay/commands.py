"""`/history`, `/replay`, `/export` and `/import`: games that were played."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.errors import Refused
from bot.app.replay import search_for
from bot.ui import autocomplete
from bot.ui.computers.commands import COMPUTER_CHOICES, one_player
from bot.ui.interactions.acting import Interaction, place_of
from bot.ui.interactions.reply import refuse, respond
from bot.ui.replay.history import show_history
from bot.ui.replay.records import export, import_record
from bot.ui.replay.replay import replay_of_message, show_replay
from db.values.matches import Outcome

RESULTS = [app_commands.Choice(name=outcome.value, value=outcome.value) for outcome in Outcome]


class Replay(commands.Cog):
    """Games that were played."""

    def __init__(self, bot: commands.Bot) -> None:
        self.bot = bot
        self.menu = app_commands.ContextMenu(name="Replay this game", callback=self.from_menu)

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.menu)

    async def cog_unload(self) -> None:
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    async def from_menu(self, interaction: Interaction, message: discord.Message) -> None:
        await respond(interaction, replay_of_message, message)

    @app_commands.command(description="Show the games that were finished here.")
    @app_commands.describe(
        game="only this game",
        member="only games of this member",
        opponent="only games against this member",
        computer="only games against this computer player",
        result="only games with this result for the member (default: for you)",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES, result=RESULTS)
    @app_commands.choices(computer=COMPUTER_CHOICES)
    async def history(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        member: discord.User | None = None,
        opponent: discord.User | None = None,
        result: app_commands.Choice[str] | None = None,
        computer: app_commands.Choice[int] | None = None,
    ) -> None:
        try:
            search = search_for(
                place_of(interaction),
                interaction.user.id,
                game=game.value if game else None,
                member=member.id if member else None,
                opponent=one_player(opponent, computer),
                outcome=Outcome(result.value) if result else None,
            )
        except Refused as refusal:
            await refuse(interaction, refusal)
        else:
            await respond(interaction, show_history, search)

    @app_commands.command(description="Watch a game again, or step through it.")
    @app_commands.describe(
        game="the number of the game; without one, the game here or the last one that was finished",
        move="show the position after so many moves",
    )
    @app_commands.autocomplete(game=autocomplete.watchable_games)
    async def replay(
        self,
        interaction: Interaction,
        game: int | None = None,
        move: app_commands.Range[int, 0, 9999] | None = None,
    ) -> None:
        await respond(interaction, show_replay, game, move)

    @app_commands.command(description="Save a game as a file, for programs or for later.")
    @app_commands.describe(
        game="the number of the game; without one, the game here or the last one that was finished"
    )
    @app_commands.autocomplete(game=autocomplete.watchable_games)
    async def export(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, export, game)

    @app_commands.command(name="import", description="Watch a game from a file; only you see it.")
    @app_commands.describe(file="a record that /export has written")
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        await respond(interaction, import_record, file)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Replay(bot))
