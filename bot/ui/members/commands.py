"""`/help`, `/games`, `/rules`, `/preferences` and `/settings`."""

from discord import app_commands

from bot.ui import autocomplete
from bot.ui.interactions.commands import in_servers
from bot.ui.interactions.reply import Interaction, respond
from bot.ui.members.help import show_help, show_rules
from bot.ui.members.overview import show_games
from bot.ui.members.preferences import show_preferences
from bot.ui.members.settings import show_settings


@app_commands.command(name="help", description="Show what you can do now, and all commands.")
async def help_(interaction: Interaction) -> None:
    await respond(interaction, show_help)


@app_commands.command(description="List your games and challenges, and the games in this channel.")
async def games(interaction: Interaction) -> None:
    await respond(interaction, show_games)


@app_commands.command(description="Show how a game is played, in pictures and in words.")
@app_commands.describe(game="the game (default: the one that is played in this channel)")
@app_commands.choices(game=autocomplete.ALL_CHOICES)
async def rules(interaction: Interaction, game: str | None = None) -> None:
    await respond(interaction, show_rules, game)


@app_commands.command(description="Change your preferences, block members, export or delete your data.")
async def preferences(interaction: Interaction) -> None:
    await respond(interaction, show_preferences)


@app_commands.command(description="Change the settings of this server.")
@in_servers
@app_commands.default_permissions(manage_guild=True)
async def settings(interaction: Interaction) -> None:
    await respond(interaction, show_settings)
