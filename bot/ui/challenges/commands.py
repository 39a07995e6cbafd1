"""`/challenge` and `/lobby`, and the challenge in a member's context menu."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.ui import autocomplete
from bot.ui.challenges.posting import ChallengeForm, answer_with_challenge, answer_with_lobby
from bot.ui.computers.commands import LEVEL_CHOICES
from bot.ui.computers.play import choose_game
from bot.ui.kit.acting import Interaction
from bot.ui.kit.reply import respond
from db.api.challenges import Order
from render.hosted_games import HOSTED_GAMES
from rules.games import find

MOST_SEATS = max(game.seats[1] for game in HOSTED_GAMES)

SIZE = "size of the board: quick, standard, long, or numbers like 7x4 (default: standard)"

ORDER = "who sits where (default: drawn by lot)"

CLOCK = "thinking time: 24h or 3d for each move, or 15m+10s for all moves (default: as usual here)"

RATED = "true if the game counts for ratings (default: true)"

GAMES = "for two players: 2 means two games with swapped seats, rated as one (default: 1)"
MOST_COMPUTERS = MOST_SEATS - 2

COMPUTERS = "seats for computer players, in games for more than two; such a game is casual (default: 0)"

LEVEL = "the level of the computer players (default: the one you played last)"


def orders(listed: str) -> list[app_commands.Choice[str]]:
    """Return the choices for who sits where; `listed` names the order in which the members are listed."""
    names = {
        Order.LOT: "drawn by lot",
        Order.FIRST: "I begin",
        Order.LAST: "I go last",
        Order.LISTED: f"in the order {listed}, me first",
    }
    return [app_commands.Choice(name=name, value=order.value) for order, name in names.items()]


class Challenges(commands.Cog):
    """Challenging members, and opening games that anybody may join."""

    def __init__(self, bot: commands.Bot) -> None:
        self.bot = bot
        self.menu = app_commands.ContextMenu(name="Challenge to a game", callback=self.from_menu)

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.menu)

    async def cog_unload(self) -> None:
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    @app_commands.command(description="Challenge one or more members to a game.")
    @app_commands.describe(
        member="your opponent",
        game="the game to play",
        size=SIZE,
        order=ORDER,
        clock=CLOCK,
        rated=RATED,
        games=GAMES,
        computers=COMPUTERS,
        level=LEVEL,
        member2="another opponent",
        member3="another opponent",
        member4="another opponent",
        member5="another opponent",
    )
    @app_commands.choices(game=autocomplete.HOSTED_CHOICES, order=orders("named"))
    @app_commands.choices(level=LEVEL_CHOICES)
    @app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
    async def challenge(
        self,
        interaction: Interaction,
        member: discord.User,
        game: app_commands.Choice[str],
        size: str = "",
        order: app_commands.Choice[str] | None = None,
        clock: app_commands.Range[str, 0, 50] = "",
        rated: bool = True,
        games: app_commands.Range[int, 1, 2] = 1,
        member2: discord.User | None = None,
        member3: discord.User | None = None,
        member4: discord.User | None = None,
        member5: discord.User | None = None,
        computers: app_commands.Range[int, 0, MOST_COMPUTERS] = 0,
        level: app_commands.Choice[int] | None = None,
    ) -> None:
        members = [user for user in (member, member2, member3, member4, member5) if user is not None]
        seating = Order(order.value) if order else Order.LOT
        await answer_with_challenge(
            interaction,
            members,
            game.value,
            size,
            seating,
            clock,
            rated,
            games,
            computers,
            level.value if level else None,
        )

    @app_commands.command(description="Open a game that anybody here may join.")
    @app_commands.describe(
        game="the game to play",
        size=SIZE,
        seats="the most players, you included (default: as many as the game takes)",
        order=ORDER,
        clock=CLOCK,
        rated=RATED,
        games=GAMES,
        computers=COMPUTERS,
        level=LEVEL,
    )
    @app_commands.choices(game=autocomplete.HOSTED_CHOICES, order=orders("of joining"))
    @app_commands.choices(level=LEVEL_CHOICES)
    @app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
    async def lobby(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str],
        size: str = "",
        seats: app_commands.Range[int, 2, MOST_SEATS] | None = None,
        order: app_commands.Choice[str] | None = None,
        clock: app_commands.Range[str, 0, 50] = "",
        rated: bool = True,
        games: app_commands.Range[int, 1, 2] = 1,
        computers: app_commands.Range[int, 0, MOST_COMPUTERS] = 0,
        level: app_commands.Choice[int] | None = None,
    ) -> None:
        fewest, most = find(game.value).seats
        usual = most if games == 1 else 2
        seating = Order(order.value) if order else Order.LOT
        await answer_with_lobby(
            interaction,
            game.value,
            size,
            fewest,
            seats or usual,
            seating,
            clock,
            rated,
            games,
            computers,
            level.value if level else None,
        )

    async def from_menu(self, interaction: Interaction, member: discord.User) -> None:
        bot = interaction.client.user
        if bot is not None and member.id == bot.id:
            await respond(interaction, choose_game)
        else:
            await interaction.response.send_modal(ChallengeForm(member))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Challenges(bot))
