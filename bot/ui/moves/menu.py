"""A menu of moves, where there are at most 25."""

from collections.abc import Iterable
from typing import Any

import discord
from discord import ui

from bot.app.matches.table import Table
from bot.ui.kit.acting import Acting, Interaction
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.reply import Response, dismiss
from bot.ui.moves.choices import describe_moves
from bot.ui.moves.play import play
from rules.core.game import Seat

MENU_LIMIT = 25
"""Options that Discord allows in a menu."""

LONGEST = 100
"""Characters that Discord allows for the description of an option."""


class PlaySelect(PersistentItem[ui.Select[Any]], template=r"pick:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Plays the move that is chosen."""

    def __init__(
        self,
        match: int,
        plies: int,
        options: Iterable[discord.SelectOption] = (),
        placeholder: str | None = None,
    ) -> None:
        self.match, self.plies = match, plies
        custom_id = f"pick:{match}:{plies}"
        super().__init__(ui.Select(custom_id=custom_id, placeholder=placeholder, options=list(options)))

    async def answer(self, acting: Acting) -> Response:
        return await play(acting, self.match, self.plies, self.item.values[0])

    async def callback(self, interaction: Interaction) -> None:
        await super().callback(interaction)
        await dismiss(interaction)


def menu(table: Table, seat: Seat, texts: Iterable[str], placeholder: str) -> PlaySelect:
    """Return a menu of at most 25 moves, each with its effect."""
    options = [
        discord.SelectOption(label=choice.text, description=choice.effect[:LONGEST] or None)
        for choice in describe_moves(table.match, seat, texts)
    ]
    return PlaySelect(table.id, table.shown, options, placeholder)
