"""Reading the results: `/leaderboard`, `/season`, `/profile`, `/versus`."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.kit.acting import Interaction, place_of
from bot.ui.kit.reply import respond
from bot.ui.standings.achievements import show_achievements
from bot.ui.standings.leaderboard import ERAS, EVERYWHERE, HERE, leaderboard_for, show_leaderboard
from bot.ui.standings.profile import show_profile, show_versus
from bot.ui.standings.season import show_podium
from db.api.leaderboards import Era

PLACES = [
    app_commands.Choice(name="in this server", value=HERE),
    app_commands.Choice(name="everywhere", value=EVERYWHERE),
]
TIMES = [app_commands.Choice(name=spelt, value=era.value) for era, spelt in ERAS.items()]


class Standings(commands.Cog):
    """Reading the results."""

    @app_commands.command(description="Who stands where, and where you stand.")
    @app_commands.describe(
        game="which game (left out: all together)",
        where="of this server or of all (left out: this one)",
        time="of all time, this season or this week (left out: all time)",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES, where=PLACES, time=TIMES)
    async def leaderboard(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        where: app_commands.Choice[str] | None = None,
        time: app_commands.Choice[str] | None = None,
    ) -> None:
        query = leaderboard_for(
            place_of(interaction).guild,
            game.value if game else None,
            where.value if where else HERE,
            Era(time.value) if time else Era.ALWAYS,
        )
        await respond(interaction, show_leaderboard, query)

    @app_commands.command(description="Who was best last season, the month that has ended.")
    @app_commands.describe(
        game="in which game (left out: all together)",
        where="in this server or everywhere (left out: in this one)",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES, where=PLACES)
    async def season(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        where: app_commands.Choice[str] | None = None,
    ) -> None:
        place = where.value if where else HERE
        key = game.value if game else None
        await respond(
            interaction, show_podium, leaderboard_for(place_of(interaction).guild, key, place, Era.SEASON)
        )

    @app_commands.command(description="How a member has fared: scores over time, records, runs.")
    @app_commands.describe(member="who (left out: you)", game="in which game (left out: in all)")
    @app_commands.choices(game=autocomplete.ALL_CHOICES)
    async def profile(
        self,
        interaction: Interaction,
        member: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
    ) -> None:
        user = member or interaction.user
        where = EVERYWHERE if place_of(interaction).guild is None else HERE
        await respond(interaction, show_profile, user.id, game.value if game else None, where)

    @app_commands.command(description="How you have fared against somebody.")
    @app_commands.describe(member="against whom", other="how this member has fared, instead of you")
    async def versus(
        self, interaction: Interaction, member: discord.User, other: discord.User | None = None
    ) -> None:
        await respond(interaction, show_versus, (other or interaction.user).id, member.id)


class Achievements(commands.Cog):
    """Reading what was earned."""

    @app_commands.command(description="What a member has earned, and the games that prove it.")
    @app_commands.describe(member="whose (left out: yours, with hints at what is still to be earned)")
    async def achievements(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await respond(interaction, show_achievements, (member or interaction.user).id)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Standings())
    await bot.add_cog(Achievements())
