"""Rematches, asked for under the last board or with `/rematch`."""

from typing import Any

import discord
from discord import ui

from bot.app.computers.games import alone
from bot.app.errors import Refused
from bot.ui.challenges.posting import post_challenge
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.checks import check_venue
from bot.ui.interactions.reply import Acting, Response
from db.values.matches import Search
from db.values.places import Place

LOOKED_AT = 20
"""Among so many finished matches of a member, `/rematch` looks for the last one in the channel."""


class RematchButton(PersistentItem[ui.Button[Any]], template=r"rematch:(?P<match>[0-9]+)"):
    """Asks for a rematch, or accepts one that another player has asked for."""

    def __init__(self, match: int) -> None:
        self.match = match
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label="Rematch", style=style, custom_id=f"rematch:{match}"))

    async def answer(self, acting: Acting) -> Response:
        return await ask_for_rematch(acting, self.match)


async def ask_for_rematch(acting: Acting, match: int | None) -> str | None:
    """Ask the other players of a match for a rematch; None means the member's last match in this channel."""
    user, place = acting.user, acting.place
    chosen = match if match is not None else await _last(acting, place)
    await acting.services.matches.check_visible(chosen, user, place)
    played = await acting.services.matches.table(chosen)
    check_venue(acting.interaction, alone=alone(played.stored.users, user))
    await acting.ui_services.permission_alerts.check(acting.interaction, place)
    challenge, table = await acting.services.rematches.ask(chosen, user, place)
    if challenge.challenger == user and table is None:
        return await post_challenge(acting, challenge) or "Asked for a rematch."
    await acting.display.invite(challenge.id)
    if table is not None:
        await acting.display.show(table.id)
    return None


async def _last(acting: Acting, place: Place) -> int:
    no_match = Refused(
        "You have not finished a game in this channel lately; choose one with the option `game`."
    )
    search = Search.near(place, None, acting.user)
    finished = await acting.services.history.recent(search, LOOKED_AT)
    here = (stored.id for stored in finished if stored.place.channel == place.channel)
    found = next(here, None)
    if found is None:
        raise no_match
    return found
