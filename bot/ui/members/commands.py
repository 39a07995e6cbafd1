"""`/help`, `/games`, `/rules`, `/preferences`, `/block`, `/unblock`, `/settings` and `/privacy`."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.interactions.commands import in_servers
from bot.ui.interactions.reply import Interaction, respond
from bot.ui.members.help import show_help, show_rules
from bot.ui.members.overview import show_games
from bot.ui.members.preferences import block, show_preferences, unblock
from bot.ui.members.privacy import show_privacy
from bot.ui.members.settings import show_settings


class Members(commands.Cog):
    """Help, and the choices of members and servers."""

    @app_commands.command(description="Show what you can do now, and all commands.")
    async def help(self, interaction: Interaction) -> None:
        await respond(interaction, show_help)

    @app_commands.command(description="List your games and challenges, and the games in this channel.")
    async def games(self, interaction: Interaction) -> None:
        await respond(interaction, show_games)

    @app_commands.command(description="Show how a game is played, in pictures and in words.")
    @app_commands.describe(game="the game (default: the one that is played in this channel)")
    @app_commands.choices(game=autocomplete.ALL_CHOICES)
    async def rules(self, interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        await respond(interaction, show_rules, game.value if game else None)

    @app_commands.command(description="Change your preferences.")
    async def preferences(self, interaction: Interaction) -> None:
        await respond(interaction, show_preferences)

    @app_commands.command(description="Block a member: you play no games together. The member is not told.")
    @app_commands.describe(member="the member who cannot challenge you or join your games any more")
    async def block(self, interaction: Interaction, member: discord.User) -> None:
        await respond(interaction, block, member.id)

    @app_commands.command(description="Unblock a member.")
    @app_commands.describe(member="a member whom you have blocked")
    async def unblock(self, interaction: Interaction, member: discord.User) -> None:
        await respond(interaction, unblock, member.id)

    @app_commands.command(description="Change the settings of this server.")
    @in_servers
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: Interaction) -> None:
        await respond(interaction, show_settings)

    @app_commands.command(description="See what Pencilbox keeps about you; export it or have it deleted.")
    async def privacy(self, interaction: Interaction) -> None:
        await respond(interaction, show_privacy)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Members())
