"""`/challenge`, and the challenge in a member's context menu."""

from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands, ui

from bot.app.challenges.terms import NamedTerms
from bot.app.errors import Refused
from bot.ui import autocomplete
from bot.ui.challenges.posting import answer_with_challenge, answer_with_open_challenge
from bot.ui.challenges.wording import GAMES_OPTION, USUAL_GAMES
from bot.ui.components.message_parts import game_option
from bot.ui.computers import choose_game
from bot.ui.interactions.buttons import CheckedForm, FormButton, open_form
from bot.ui.interactions.reply import Context, Interaction, refuse, respond
from db.values.challenges import ANY_GAME, Order
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
        self.opponent = ui.UserSelect[Any](custom_id="member", placeholder="Choose a member")
        if member is None:
            self.ask("Opponent", self.opponent)
        about = "When they accept; the size is the standard one."
        any_game = discord.SelectOption(label=CHOOSES, value=ANY_GAME, description=about)
        games = [any_game, *(game_option(game) for game in HOSTED_GAMES)]
        self.game = self.ask(
            "Game", ui.Select[Any](custom_id="game", placeholder="Choose a game", options=games)
        )
        self.size = self.ask("Size", _radio("size", {name: name for name in SIZE_NAMES}, "standard"))
        clock = ui.TextInput[Any](
            custom_id="clock",
            placeholder="24h, 3d, 3d+12h up to 7d, 15m+10s or none",
            required=False,
            max_length=50,
        )
        about = "Time for each move, or for all moves plus seconds per move. Empty: the usual clock here."
        self.clock = self.ask("Clock", clock, about)
        named = {value: name.capitalize() for value, (name, _) in GAMES_OPTION.items()}
        self.games = self.ask("Games", _radio("games", named, USUAL_GAMES))

    async def on_submit(self, interaction: Interaction) -> None:
        _, options = GAMES_OPTION[self.games.value or USUAL_GAMES]
        named = NamedTerms(
            self.game.values[0], self.size.value or "", clock=self.clock.value, options=options
        )
        member = self.member or self.opponent.values[0]
        await answer_with_challenge(interaction, member, named)  # type: ignore[arg-type]  # a Member is a User here


def _radio(custom_id: str, labels: Mapping[str, str], chosen: str) -> ui.RadioGroup[Any]:
    options = [
        discord.RadioGroupOption(label=label, value=value, default=value == chosen)
        for value, label in labels.items()
    ]
    return ui.RadioGroup(custom_id=custom_id, options=options)


class ChallengeButton(FormButton, word="challenge-somebody", label="Challenge somebody"):
    """Opens the form for a challenge to a member."""

    async def form(self, context: Context) -> ChallengeForm:
        return ChallengeForm()


GAME_CHOICES = [app_commands.Choice(name=CHOOSES, value=ANY_GAME), *autocomplete.HOSTED_CHOICES]

GAMES_CHOICES = [app_commands.Choice(name=name, value=value) for value, (name, _) in GAMES_OPTION.items()]

ORDER_CHOICES = [
    app_commands.Choice(name=name, value=order.value)
    for order, name in (
        (Order.LOT, "drawn by lot"),
        (Order.FIRST, "I begin"),
        (Order.LAST, "I go last"),
        (Order.LISTED, "in the order of joining, me first"),
    )
]


@app_commands.command(description="Challenge a member to a game, or ask who wants to play.")
@app_commands.describe(
    member="your opponent (default: anybody here may join)",
    game="the game to play (default: your opponent chooses it)",
    size="size of the board: quick, standard, long, or numbers like 7x4 (default: standard)",
    order="who sits where (default: drawn by lot)",
    clock="thinking time: 24h or 3d for each move, or 15m+10s for all moves (default: as usual here)",
    games="one game or two, rated or not (default: one game, rated if it has a clock)",
    call="a role to call; @everyone calls only those who are online (default: nobody is called)",
)
@app_commands.choices(game=GAME_CHOICES, order=ORDER_CHOICES, games=GAMES_CHOICES)
@app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
async def challenge(
    interaction: Interaction,
    member: discord.User | None = None,
    game: str = ANY_GAME,
    size: str = "",
    order: str = Order.LOT,
    clock: app_commands.Range[str, 0, 50] = "",
    games: str = USUAL_GAMES,
    call: discord.Role | None = None,
) -> None:
    _, options = GAMES_OPTION[games]
    named = NamedTerms(game, size, Order(order), clock, options)
    if member is None:
        await answer_with_open_challenge(interaction, named, call)
    elif call is not None:
        await refuse(
            interaction,
            Refused("Name a member or call a role, not both; a challenged member is notified anyway."),
        )
    else:
        await answer_with_challenge(interaction, member, named)


@app_commands.context_menu(name="Challenge to a game")
async def challenge_menu(interaction: Interaction, member: discord.User) -> None:
    bot = interaction.client.user
    if bot is not None and member.id == bot.id:
        await respond(interaction, choose_game)
    else:
        await open_form(interaction, ChallengeForm(member))
