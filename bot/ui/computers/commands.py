"""`/play`: a game against a computer player, at once."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.errors import Refused
from bot.app.mentions import PERSONAS
from bot.ui import autocomplete
from bot.ui.computers.play import play_computer
from bot.ui.interactions.acting import Interaction
from bot.ui.interactions.reply import respond
from db.values.challenges import Order
from db.values.members import LEVELS, computer_player
from db.values.places import DiscordId

LEVEL_CHOICES = [
    app_commands.Choice(name=f"{found.level}: {found.name}. {found.character}", value=found.level)
    for found in PERSONAS
]
COMPUTER_CHOICES = [
    app_commands.Choice(name=f"{found.name} (level {found.level})", value=computer_player(found.level))
    for found in PERSONAS
]

ORDER_CHOICES = [
    app_commands.Choice(name=name, value=order.value)
    for name, order in (("I begin", Order.FIRST), ("I go second", Order.LAST), ("drawn by lot", Order.LOT))
]


def one_player(member: discord.User | None, computer: app_commands.Choice[int] | None) -> DiscordId | None:
    """Return the member or the computer player that an option names, None if neither does. Raises Refused if both."""
    if member is not None and computer is not None:
        raise Refused("Name a member or a computer player, not both.")
    return computer.value if computer else member.id if member else None


class Computers(commands.Cog):
    """Games against computer players."""

    @app_commands.command(description="Play against the computer, at once.")
    @app_commands.describe(
        game="the game to play (default: you choose from a menu)",
        level=f"how strong it is, {LEVELS[0]} to {LEVELS[-1]} (default: the level you played last)",
        size="size of the board: quick, standard, long, or numbers like 7x4 (default: standard)",
        order="who begins (default: drawn by lot)",
        rated="true if the game counts for ratings, on the standard size (default: false)",
    )
    @app_commands.choices(game=autocomplete.HOSTED_CHOICES, order=ORDER_CHOICES)
    @app_commands.choices(level=LEVEL_CHOICES)
    @app_commands.autocomplete(size=autocomplete.sizes)
    async def play(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        level: app_commands.Choice[int] | None = None,
        size: str = "",
        order: app_commands.Choice[str] | None = None,
        rated: bool = False,
    ) -> None:
        await respond(
            interaction,
            play_computer,
            game.value if game else None,
            level.value if level else None,
            size,
            Order(order.value) if order else Order.LOT,
            rated,
        )


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Computers())
