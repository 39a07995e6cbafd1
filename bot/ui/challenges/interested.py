"""Telling the members who want to know when somebody looks for opponents."""

import discord
import structlog

from bot.app.services import Services
from bot.ui.interactions.reply import Context
from bot.ui.posts.permissions import shows_to
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.services import UiServices
from db.values.challenges import Challenge
from db.values.failures import StoreFailed
from db.values.places import DiscordId, Place
from db.values.posts import News, Occasion

log = structlog.get_logger()

WANTED = 2
"""The number of the news of an open challenge for members who want to be told of such challenges."""

WHY_TOLD = (
    "-# You asked me to tell you. **When somebody wants to play…** in `/preferences` changes or ends that."
)


MADE = "open challenge"
"""The name under which an interaction notes the open challenge that it has made."""


async def tell_after_answer(context: Context) -> None:
    """Tell the members who are interested in the open challenge that an interaction has made, if it has made one."""
    challenge: Challenge | None = context.interaction.extras.get(MADE)
    if challenge is not None:
        await tell_interested(context.services, context.ui_services, challenge)


async def tell_interested(services: Services, ui_services: UiServices, challenge: Challenge) -> None:
    """Queue a direct message to some of the members who want to be told of an open challenge.

    It is done once, when the challenge is made. If it fails, nobody is told, and the challenge stays.
    """
    try:
        candidates = await services.interests.candidates(challenge)
        if not candidates:
            return
        seeing = await _who_see(ui_services, challenge.place, candidates)
        users = await services.interests.told(seeing)
        news = News(Occasion.CHALLENGE, challenge.id, WANTED)
        await ui_services.direct_messages.queue(users, challenge.place.guild, news)
    except (StoreFailed, discord.ClientException, *DISCORD_ERRORS) as error:
        log.warning("interested.not_told", challenge=challenge.id, error=type(error).__name__)


async def _who_see(ui_services: UiServices, place: Place, users: list[DiscordId]) -> list[DiscordId]:
    """Return those of these users who are members of the server and see the channel of a place, in their order.

    A thread is seen by those who see its channel; of a private thread, nobody is told.
    """
    assert place.guild is not None
    server = ui_services.clients.get_guild(place.guild)
    if server is None:
        return []
    members = await server.query_members(user_ids=users, limit=len(users), cache=False)
    seeing = {it.id for it in members if shows_to(server, it, place)}
    return [user for user in users if user in seeing]
