"""An interaction of a member with all that a button, a menu, a form or a command needs to answer it."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Protocol, cast

import discord

from bot.app.services import Services
from bot.app.tasks.background import begin_request
from bot.ui.meter import Outcome
from bot.ui.services import Display, UiServices
from db.values.places import DiscordId, Place

Interaction = discord.Interaction[Any]

_COUNTED = "counted"


class Bot(Protocol):
    """The client, as far as it carries the services by which interactions are answered."""

    services: Services
    ui_services: UiServices
    display: Display


@dataclass(frozen=True, slots=True)
class Acting:
    """One interaction of one member, and the services to answer it with."""

    interaction: Interaction
    services: Services
    ui_services: UiServices
    display: Display
    user: DiscordId
    place: Place

    async def theme(self) -> str:
        """Return the theme of pictures that only this member sees."""
        return await self.services.preferences.theme(self.place, self.user)


def acting_of(interaction: Interaction) -> Acting:
    """Return the interaction with the services of the client that received it. Log lines carry its id from now on."""
    begin_request(request_id(interaction))
    bot = cast(Bot, interaction.client)
    return Acting(
        interaction, bot.services, bot.ui_services, bot.display, interaction.user.id, place_of(interaction)
    )


def count_ended(interaction: Interaction, outcome: Outcome) -> None:
    """Count how an interaction has ended, unless that was counted already."""
    if _COUNTED not in interaction.extras:
        interaction.extras[_COUNTED] = True
        cast(Bot, interaction.client).ui_services.meter.interaction_ended(interaction, outcome)


def request_id(interaction: Interaction) -> str:
    """Return the short word by which an operator finds the log lines of an interaction."""
    return blake2b(str(interaction.id).encode(), digest_size=3).hexdigest()


def place_of(interaction: Interaction) -> Place:
    """Return the place where an interaction happened.

    A server of which the bot is not a member (it came as a user app) counts as direct messages.
    """
    assert interaction.channel_id is not None
    guild = interaction.guild_id
    if guild is None or interaction.client.get_guild(guild) is None:
        return Place(None, interaction.channel_id)
    return Place(guild, interaction.channel_id, getattr(interaction.channel, "parent_id", None))
