"""`/leaderboard`, `/season`, `/profile`, `/versus` and `/achievements`."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.computers import COMPUTER_CHOICES, one_player
from bot.ui.interactions.reply import Content, Context, Interaction, place_of, respond
from bot.ui.standings.achievements import show_achievements
from bot.ui.standings.leaderboard import EVERYWHERE, HERE, PERIODS, leaderboard_for, show_leaderboard
from bot.ui.standings.profile import show_profile, show_versus
from bot.ui.standings.season import show_podium
from db.values.standings import PeriodKind

SCOPES = [
    app_commands.Choice(name="this server", value=HERE),
    app_commands.Choice(name="global", value=EVERYWHERE),
]
TIMES = [app_commands.Choice(name=spelt, value=period_kind.value) for period_kind, spelt in PERIODS.items()]


class Standings(commands.Cog):
    """Leaderboards, profiles and achievements."""

    @app_commands.command(description="Show a leaderboard, and your rank on it.")
    @app_commands.describe(
        game="the game (default: all games together)",
        where="this server or global (default: this server)",
        time="all time, this season or this week (default: all time)",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES, where=SCOPES, time=TIMES)
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
            PeriodKind(time.value) if time else PeriodKind.ALWAYS,
        )
        await respond(interaction, show_leaderboard, query)

    @app_commands.command(description="Show the best members of last season, the month that has ended.")
    @app_commands.describe(
        game="the game (default: all games together)",
        where="this server or global (default: this server)",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES, where=SCOPES)
    async def season(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        where: app_commands.Choice[str] | None = None,
    ) -> None:
        place = where.value if where else HERE
        key = game.value if game else None
        await respond(
            interaction,
            show_podium,
            leaderboard_for(place_of(interaction).guild, key, place, PeriodKind.SEASON),
        )

    @app_commands.command(description="Show the results of a member: scores over time, records, streaks.")
    @app_commands.describe(
        member="the member (default: you)",
        game="the game (default: all games)",
        computer="a computer player instead of a member",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES)
    @app_commands.choices(computer=COMPUTER_CHOICES)
    async def profile(
        self,
        interaction: Interaction,
        member: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        computer: app_commands.Choice[int] | None = None,
    ) -> None:
        async def show(context: Context) -> Content:
            where = EVERYWHERE if context.place.guild is None else HERE
            user = one_player(member, computer) or context.user
            return await show_profile(context, user, game.value if game else None, where)

        await respond(interaction, show)

    @app_commands.command(description="Show your results against another member or a computer player.")
    @app_commands.describe(
        member="the opponent",
        other="show the results of this member instead of yours",
        computer="a computer player as the opponent",
    )
    @app_commands.choices(computer=COMPUTER_CHOICES)
    async def versus(
        self,
        interaction: Interaction,
        member: discord.User | None = None,
        other: discord.User | None = None,
        computer: app_commands.Choice[int] | None = None,
    ) -> None:
        async def show(context: Context) -> Content:
            return await show_versus(context, (other or interaction.user).id, one_player(member, computer))

        await respond(interaction, show)

    @app_commands.command(description="Show the achievements of a member, and the games that earned them.")
    @app_commands.describe(member="the member (default: you, with hints at what you can still earn)")
    async def achievements(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await respond(interaction, show_achievements, (member or interaction.user).id)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Standings())
