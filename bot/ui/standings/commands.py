"""`/leaderboard` and `/profile`."""

import discord
from discord import app_commands

from bot.app.errors import Refused
from bot.ui import autocomplete
from bot.ui.computers import COMPUTER_CHOICES
from bot.ui.interactions.reply import Content, Context, Interaction, respond
from bot.ui.standings.leaderboard import EVERYWHERE, HERE, PERIODS, show_leaderboard
from bot.ui.standings.profile import show_profile, show_versus
from db.values.standings import PeriodKind

SCOPES = [
    app_commands.Choice(name="this server", value=HERE),
    app_commands.Choice(name="global", value=EVERYWHERE),
]
TIMES = [app_commands.Choice(name=spelt, value=period) for period, spelt in PERIODS.items()]


@app_commands.command(description="Show a leaderboard, and your rank on it.")
@app_commands.describe(
    game="the game (default: all games together)",
    where="this server or global (default: this server)",
    time="all time, this season or week, or the podium of last season (default: all time)",
)
@app_commands.choices(game=autocomplete.ALL_CHOICES, where=SCOPES, time=TIMES)
async def leaderboard(
    interaction: Interaction,
    game: str | None = None,
    where: str = HERE,
    time: str = PeriodKind.ALWAYS,
) -> None:
    await respond(interaction, show_leaderboard, game, where, time)


@app_commands.command(description="Show the results of a member, with their games and achievements.")
@app_commands.describe(
    member="the member (default: you)",
    game="the game (default: all games)",
    opponent="only the results against this member",
    computer="a computer player; with a member, the results against it",
)
@app_commands.choices(game=autocomplete.ALL_CHOICES)
@app_commands.choices(computer=COMPUTER_CHOICES)
async def profile(
    interaction: Interaction,
    member: discord.User | None = None,
    game: str | None = None,
    opponent: discord.User | None = None,
    computer: int | None = None,
) -> None:
    async def show(context: Context) -> Content:
        # The players who are named, the one whose results are shown first.
        named = [user.id for user in (member, opponent) if user is not None]
        named += [] if computer is None else [computer]
        if member is None and opponent is not None:
            named.insert(0, context.user)
        if len(named) > 2:
            raise Refused("Name one opponent, a member or a computer player.")
        if len(named) == 2:
            return await show_versus(context, named[0], named[1])
        where = EVERYWHERE if context.place.guild is None else HERE
        user = named[0] if named else context.user
        return await show_profile(context, user, game, where)

    await respond(interaction, show)
