"""Checks if a game can be played where a member wants to play it."""

from collections.abc import Iterable

import discord

from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.ui.kit.answers.acting import Interaction
from db.api.places import DiscordId

ALONE = (
    "Here you can play me, with `/play`; a game with another member is started in a server, or in your direct messages"
    " with them, where I am once you have added me to your own apps."
)


def check_venue(interaction: Interaction, users: Iterable[DiscordId] = (), *, alone: bool = False) -> None:
    """Raise Refused if this member cannot play a game with `users` where the interaction happened.

    `alone` is True for a game against computer players only, which can be played with nobody else there.
    """
    if interaction.context.dm_channel and not alone:
        raise Refused(ALONE)
    guest = interaction.guild_id is not None and not interaction.is_guild_integration()
    if guest and not interaction.permissions.use_external_apps:
        raise Refused(
            "Only you would see the game, since you lack the permission Use External Apps in this channel."
        )
    there = _people(interaction)
    if missing := [user for user in users if there and user not in there]:
        names = " and ".join(mention(user) for user in missing)
        raise Refused(f"{names} would not see the game; choose members of this conversation.")


def _people(interaction: Interaction) -> set[DiscordId]:
    """Return the members of these direct messages; empty where they are not known."""
    channel = interaction.channel
    if not isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return set()
    people = {user.id for user in channel.recipients} | {interaction.user.id}
    return people if len(people) > 1 else set()
