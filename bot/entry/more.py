"""What else a board offers, behind one button, so that the panel stays quiet."""

from typing import Any

import discord
from discord import ui

from bot.entry.desk import desk_of, place_of
from bot.entry.item import Kept
from bot.entry.letters import letters
from bot.entry.proposals import DrawButton, TakebackButton
from bot.entry.reply import Said, answer
from bot.entry.resigning import ResignButton
from bot.entry.sheet import sheet
from rules.games import find

Interaction = discord.Interaction[Any]


class MoreButton(Kept[ui.Button[Any]], template=r"more:(?P<match>[0-9]+)"):
    """Shows one member alone what else can be done: everybody may read, players may act."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="More", custom_id=f"more:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> Said:
            user = interaction.user.id
            table = await desk_of(interaction).matches.shown(user, place_of(interaction), self.match)
            view: ui.View = ui.View(timeout=None)
            view.add_item(LettersButton(table.id))
            view.add_item(RulesButton(table.stored.setup.game))
            if table.seat_of(user) in table.match.playing and not table.match.over:
                view.add_item(DrawButton(table.id))
                view.add_item(TakebackButton(table.id))
                view.add_item(ResignButton(table.id))
            return Said(f"**{table.name}**: what would you like?", view)

        await answer(interaction, act)


class LettersButton(Kept[ui.Button[Any]], template=r"letters:(?P<match>[0-9]+)"):
    """Shows the board in letters."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Board in letters", custom_id=f"letters:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> Said:
            user = interaction.user.id
            return letters(
                await desk_of(interaction).matches.shown(user, place_of(interaction), self.match), user
            )

        await answer(interaction, act)


class RulesButton(Kept[ui.Button[Any]], template=r"rules:(?P<game>[a-z]+)"):
    """Shows the rules of a game."""

    words = frozenset({"game"})

    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(ui.Button(label="Rules", custom_id=f"rules:{game}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> Said:
            return Said("", sheet(find(self.game)))

        await answer(interaction, act)
