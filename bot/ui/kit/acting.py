"""A member who acts: what a button, a menu, a form or a command is given to answer with."""

from dataclasses import dataclass
from typing import Any, Protocol, cast

import discord

from bot.app.services import Services
from bot.ui.kit.services import Display, Kit
from db.api.places import DiscordId, Place

Interaction = discord.Interaction[Any]


class Bot(Protocol):
    """The client's side: it carries the services that its interactions are answered with."""

    services: Services
    kit: Kit
    display: Display


@dataclass(frozen=True, slots=True)
class Acting:
    """One interaction of one member, with everything that can be done about it."""

    interaction: Interaction
    services: Services
    kit: Kit
    display: Display
    user: DiscordId
    place: Place

    async def theme(self) -> str:
        """The theme of pictures that only this member sees."""
        return await self.services.preferences.theme(self.place, self.user)


def acting_of(interaction: Interaction) -> Acting:
    """The interaction with the services of the client that received it."""
    bot = cast(Bot, interaction.client)
    return Acting(interaction, bot.services, bot.kit, bot.display, interaction.user.id, place_of(interaction))


def place_of(interaction: Interaction) -> Place:
    """The place where an interaction happened.

    A server that the bot is not in, because only members brought it along, counts as direct messages.
    """
    assert interaction.channel_id is not None
    guild = interaction.guild_id
    if guild is None or interaction.client.get_guild(guild) is None:
        return Place(None, interaction.channel_id)
    return Place(guild, interaction.channel_id, getattr(interaction.channel, "parent_id", None))
