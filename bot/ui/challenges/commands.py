"""`/challenge` and `/lobby`, and the challenge in a member's context menu."""

from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.app.challenges.terms import NamedTerms
from bot.app.errors import Refused
from bot.ui import autocomplete
from bot.ui.challenges.options import with_options
from bot.ui.challenges.posting import (
    answer_with_challenge,
    answer_with_lobby,
    answer_with_open_challenge,
)
from bot.ui.components.message_parts import game_option
from bot.ui.computers import LEVEL_CHOICES, choose_game
from bot.ui.interactions.buttons import CheckedForm, FormButton, open_form
from bot.ui.interactions.reply import Context, Interaction, refuse, respond
from db.values.challenges import ANY_GAME, Order
from db.values.matches import MatchOptions
from render.games import HOSTED_GAMES
from rules.games import SIZE_NAMES

CHOOSES = "The opponent chooses the game"
"""The label of an open choice in menus."""


class ChallengeForm(CheckedForm):
    """Asks for the game, the size, the clock and the number of games of a challenge to one member.

    Without a `member`, it asks for the member too.
    """

    def __init__(self, member: discord.User | None = None) -> None:
        super().__init__(title="Challenge to a game", timeout=None)
        self.member = member
        self.opponent: ui.UserSelect[Any] = ui.UserSelect(custom_id="member", placeholder="Choose a member")
        if member is None:
            self.add_item(ui.Label(text="Opponent", component=self.opponent))
        self.game: ui.Select[Any] = ui.Select(
            custom_id="game",
            placeholder="Choose a game",
            options=[
                discord.SelectOption(
                    label=CHOOSES, value=ANY_GAME, description="On its standard size, by accepting."
                ),
                *(game_option(game) for game in HOSTED_GAMES),
            ],
        )
        self.size: ui.RadioGroup[Any] = ui.RadioGroup(
            custom_id="size",
            options=[
                discord.RadioGroupOption(label=name, value=name, default=name == "standard")
                for name in SIZE_NAMES
            ],
        )
        self.clock: ui.TextInput[Any] = ui.TextInput(
            custom_id="clock", placeholder="24h, 3d, 15m+10s or none", required=False, max_length=50
        )
        self.games: ui.RadioGroup[Any] = ui.RadioGroup(
            custom_id="games",
            options=[
                discord.RadioGroupOption(label="One game", value="1", default=True),
                discord.RadioGroupOption(
                    label="Two games", value="2", description="With swapped seats, rated as one."
                ),
            ],
        )
        self.add_item(ui.Label(text="Game", component=self.game))
        self.add_item(ui.Label(text="Size", component=self.size))
        about = "Time for each move, or for all moves plus seconds per move. Empty: the usual clock here."
        self.add_item(ui.Label(text="Clock", description=about, component=self.clock))
        self.add_item(ui.Label(text="Games", component=self.games))

    async def on_submit(self, interaction: Interaction) -> None:
        options = MatchOptions(games=int(self.games.value or 1))
        named = NamedTerms(
            self.game.values[0],
            self.size.value or "",
            clock=self.clock.value,
            options=options,
        )
        member = self.member or self.opponent.values[0]
        await answer_with_challenge(interaction, [member], named)  # type: ignore[list-item]  # a Member is a User here


class ChallengeButton(FormButton, template="challenge-somebody"):
    """Opens the form for a challenge to a member."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Challenge somebody", custom_id="challenge-somebody"))

    async def form(self, context: Context) -> ChallengeForm:
        return ChallengeForm()


GAME_CHOICES = [app_commands.Choice(name=CHOOSES, value=ANY_GAME), *autocomplete.HOSTED_CHOICES]

MOST_SEATS = max(game.seats[1] for game in HOSTED_GAMES)

SIZE = "size of the board: quick, standard, long, or numbers like 7x4 (default: standard)"

ORDER = "who sits where (default: drawn by lot)"

CLOCK = "thinking time: 24h or 3d for each move, or 15m+10s for all moves (default: as usual here)"

CALL = "a role to call; @everyone calls only those who are here now (default: nobody is called)"

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

    @app_commands.command(description="Challenge members to a game, or ask who wants to play.")
    @app_commands.describe(
        member="your opponent (default: the first who accepts)",
        game="the game to play (default: your opponent chooses it)",
        size=SIZE,
        order=ORDER,
        clock=CLOCK,
        call=CALL,
        computers=COMPUTERS,
        level=LEVEL,
        member2="another opponent",
        member3="another opponent",
        member4="another opponent",
        member5="another opponent",
    )
    @app_commands.choices(game=GAME_CHOICES, order=orders("named"))
    @app_commands.choices(level=LEVEL_CHOICES)
    @app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
    @with_options
    async def challenge(
        self,
        interaction: Interaction,
        /,
        member: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        size: str = "",
        order: app_commands.Choice[str] | None = None,
        clock: app_commands.Range[str, 0, 50] = "",
        call: discord.Role | None = None,
        member2: discord.User | None = None,
        member3: discord.User | None = None,
        member4: discord.User | None = None,
        member5: discord.User | None = None,
        computers: app_commands.Range[int, 0, MOST_COMPUTERS] = 0,
        level: app_commands.Choice[int] | None = None,
        **chosen: Any,
    ) -> None:
        members = [user for user in (member, member2, member3, member4, member5) if user is not None]
        key = game.value if game else ANY_GAME
        named = NamedTerms(key, size, _order(order), clock, MatchOptions(**chosen), computers, _level(level))
        if not members:
            await answer_with_open_challenge(interaction, named, call)
        elif call is not None:
            await refuse(
                interaction,
                Refused("Name members or call a role, not both; challenged members are notified anyway."),
            )
        else:
            await answer_with_challenge(interaction, members, named)

    @app_commands.command(description="Open a game that anybody here may join.")
    @app_commands.describe(
        game="the game to play",
        size=SIZE,
        seats="the most players, you included (default: as many as the game takes)",
        order=ORDER,
        clock=CLOCK,
        call=CALL,
        computers=COMPUTERS,
        level=LEVEL,
    )
    @app_commands.choices(game=autocomplete.HOSTED_CHOICES, order=orders("of joining"))
    @app_commands.choices(level=LEVEL_CHOICES)
    @app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
    @with_options
    async def lobby(
        self,
        interaction: Interaction,
        /,
        game: app_commands.Choice[str],
        size: str = "",
        seats: app_commands.Range[int, 2, MOST_SEATS] | None = None,
        order: app_commands.Choice[str] | None = None,
        clock: app_commands.Range[str, 0, 50] = "",
        call: discord.Role | None = None,
        computers: app_commands.Range[int, 0, MOST_COMPUTERS] = 0,
        level: app_commands.Choice[int] | None = None,
        **chosen: Any,
    ) -> None:
        named = NamedTerms(
            game.value, size, _order(order), clock, MatchOptions(**chosen), computers, _level(level)
        )
        await answer_with_lobby(interaction, named, seats, call)


def _order(chosen: app_commands.Choice[str] | None) -> Order:
    return Order(chosen.value) if chosen else Order.LOT


def _level(chosen: app_commands.Choice[int] | None) -> int | None:
    return chosen.value if chosen else None


@app_commands.context_menu(name="Challenge to a game")
async def challenge_menu(interaction: Interaction, member: discord.User) -> None:
    bot = interaction.client.user
    if bot is not None and member.id == bot.id:
        await respond(interaction, choose_game)
    else:
        await open_form(interaction, ChallengeForm(member))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Challenges())
    bot.tree.add_command(challenge_menu)
