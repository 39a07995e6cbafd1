"""Playing again: asked for under the last board, or by `/rematch`."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.ui.challenges.message import redraw
from bot.ui.challenges.posting import post
from bot.ui.challenges.venue import check_company
from bot.ui.kit.buttons import Kept
from bot.ui.kit.reply import answer
from bot.ui.kit.services import desk_of, place_of
from db.api.history import Search
from db.api.places import Place

Interaction = discord.Interaction[Any]

LOOKED_AT = 20
"""Finished matches of a member among which `/rematch` looks for the last one in the channel."""


class RematchButton(Kept[ui.Button[Any]], template=r"rematch:(?P<match>[0-9]+)"):
    """Asks for a rematch, or accepts the one that another has asked for."""

    def __init__(self, match: int) -> None:
        self.match = match
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label="Rematch", style=style, custom_id=f"rematch:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        await ask_again(interaction, self.match)


async def ask_again(interaction: Interaction, match: int | None) -> None:
    """Ask the others to play a match again, or (None) the last one that this member finished in this channel."""

    async def act() -> str | None:
        desk = desk_of(interaction)
        user, place = interaction.user.id, place_of(interaction)
        check_company(interaction)
        await desk.managers.check(interaction, place)
        chosen = match if match is not None else await _last(interaction, place)
        asked, table = await desk.rematches.ask(chosen, user, place)
        if asked.challenger == user:
            await post(desk, asked)
            return "Asked for a rematch."
        await redraw(desk.outlets, desk.challenges, asked.id)
        if table is not None:
            await desk.show(table.id)
        return None

    await answer(interaction, act)


async def _last(interaction: Interaction, place: Place) -> int:
    none = Refused("You have finished no game in this channel lately; say which with the option `game`.")
    search = Search.near(place, None, interaction.user.id)
    finished = await desk_of(interaction).history.recent(search, LOOKED_AT)
    here = (stored.id for stored in finished if stored.place.channel == place.channel)
    found = next(here, None)
    if found is None:
        raise none
    return found
