"""Playing again: asked for under the last board, or by `/rematch`."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.ui.challenges.message import redraw
from bot.ui.challenges.posting import post_challenge
from bot.ui.challenges.venue import check_venue
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.reply import Response
from db.api.history import Search
from db.api.places import Place

LOOKED_AT = 20
"""Finished matches of a member among which `/rematch` looks for the last one in the channel."""


class RematchButton(PersistentItem[ui.Button[Any]], template=r"rematch:(?P<match>[0-9]+)"):
    """Asks for a rematch, or accepts the one that another has asked for."""

    def __init__(self, match: int) -> None:
        self.match = match
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label="Rematch", style=style, custom_id=f"rematch:{match}"))

    async def answer(self, acting: Acting) -> Response:
        return await ask_for_rematch(acting, self.match)


async def ask_for_rematch(acting: Acting, match: int | None) -> str | None:
    """Ask the others to play a match again, or (None) the last one that this member finished in this channel."""
    user, place = acting.user, acting.place
    check_venue(acting.interaction)
    await acting.kit.permission_alerts.check(acting.interaction, place)
    chosen = match if match is not None else await _last(acting, place)
    asked, table = await acting.services.rematches.ask(chosen, user, place)
    if asked.challenger == user:
        await post_challenge(acting, asked)
        return "Asked for a rematch."
    await redraw(acting.kit.posting, acting.services.challenges, asked.id)
    if table is not None:
        await acting.display.show(table.id)
    return None


async def _last(acting: Acting, place: Place) -> int:
    none = Refused("You have finished no game in this channel lately; say which with the option `game`.")
    search = Search.near(place, None, acting.user)
    finished = await acting.services.history.recent(search, LOOKED_AT)
    here = (stored.id for stored in finished if stored.place.channel == place.channel)
    found = next(here, None)
    if found is None:
        raise none
    return found
