"""`/preferences` and `/settings`: what members choose for themselves, and managers for their server."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.kit.acting import Interaction
from bot.ui.kit.reply import NOBODY, respond
from bot.ui.kit.server_only import in_servers
from bot.ui.members.help import show_help
from bot.ui.members.overview import show_games
from bot.ui.members.preferences import block, show_preferences, unblock
from bot.ui.members.privacy import show_privacy
from bot.ui.members.settings import show_settings
from bot.ui.replay.replay import show_replay
from bot.ui.rules import rules_message
from rules.games import find


class Choices(commands.Cog):
    """Choosing how things are."""

    @app_commands.command(description="Choose how things are for you.")
    async def preferences(self, interaction: Interaction) -> None:
        await respond(interaction, show_preferences)

    @app_commands.command(description="Play no games with a member, who is not told.")
    @app_commands.describe(member="who shall not challenge you nor join your games")
    async def block(self, interaction: Interaction, member: discord.User) -> None:
        await respond(interaction, block, member.id)

    @app_commands.command(description="Take a block back.")
    @app_commands.describe(member="whom you have blocked")
    async def unblock(self, interaction: Interaction, member: discord.User) -> None:
        await respond(interaction, unblock, member.id)

    @app_commands.command(description="Set how things are in this server.")
    @in_servers
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: Interaction) -> None:
        await respond(interaction, show_settings)


class About(commands.Cog):
    """Reading up on the games."""

    @app_commands.command(description="What you can do now, and all commands.")
    async def help(self, interaction: Interaction) -> None:
        await respond(interaction, show_help)

    @app_commands.command(description="Your games and challenges, and the games in this channel.")
    async def games(self, interaction: Interaction) -> None:
        await respond(interaction, show_games)

    @app_commands.command(description="How a game goes, and where it comes from.")
    @app_commands.describe(game="which game")
    @app_commands.choices(game=autocomplete.ALL_CHOICES)
    async def rules(self, interaction: Interaction, game: app_commands.Choice[str]) -> None:
        view = rules_message(find(game.value))
        await interaction.response.send_message(view=view, ephemeral=True, allowed_mentions=NOBODY)

    @app_commands.command(description="Watch a game again, or step through it.")
    @app_commands.describe(
        game="its number, if it is not the only one here", move="the position after so many moves"
    )
    @app_commands.autocomplete(game=autocomplete.watchable_games)
    async def replay(
        self,
        interaction: Interaction,
        game: int | None = None,
        move: app_commands.Range[int, 0, 9999] | None = None,
    ) -> None:
        await respond(interaction, show_replay, game, move)


class Privacy(commands.Cog):
    """A member's hold on their own data."""

    @app_commands.command(description="What is kept of you: take it along, or have it deleted.")
    async def privacy(self, interaction: Interaction) -> None:
        await respond(interaction, show_privacy)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Choices())
    await bot.add_cog(About())
    await bot.add_cog(Privacy())
