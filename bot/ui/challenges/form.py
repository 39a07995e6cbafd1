"""The form of the challenge in a member's context menu."""

from typing import Any

import discord
from discord import ui

from bot.app.challenges.terms import NamedTerms
from bot.ui.challenges.posting import answer_with_challenge
from bot.ui.components.emoji import game_option
from bot.ui.interactions.acting import Interaction
from bot.ui.interactions.forms import CheckedForm
from db.values.challenges import ANY_GAME
from render.games import HOSTED_GAMES
from rules.games import SIZE_NAMES

CHOOSES = "The opponent chooses the game"
"""The label of an open choice in menus."""


class ChallengeForm(CheckedForm):
    """Asks for the game, the size, the clock and the number of games of a challenge to one member."""

    def __init__(self, member: discord.User) -> None:
        super().__init__(title="Challenge to a game", timeout=None)
        self.member = member
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
        games = int(self.games.value or 1)
        named = NamedTerms(self.game.values[0], self.size.value or "", clock=self.clock.value, games=games)
        await answer_with_challenge(interaction, [self.member], named)
