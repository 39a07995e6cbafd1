"""Who is where a member wants to play, and whether a game can be played there at all."""

from collections.abc import Iterable

import discord

from bot.app.errors import Refused
from bot.ui.kit.acting import Interaction
from db.api.places import DiscordId

ALONE = (
    "A game needs two people: start it in a server, or in your direct messages with whom you want to play, where you"
    " have me once you have added me to your own apps."
)


def check_venue(interaction: Interaction, asked: Iterable[DiscordId] = ()) -> None:
    """Whether a game with those who are `asked` can be played where this member is. Raises Refused."""
    if interaction.context.dm_channel:
        raise Refused(ALONE)
    guest = interaction.guild_id is not None and not interaction.is_guild_integration()
    if guest and not interaction.permissions.use_external_apps:
        raise Refused(
            "Nobody but you would see the game: in this channel you lack the permission Use External Apps."
        )
    there = _people(interaction)
    if missing := [user for user in asked if there and user not in there]:
        names = " and ".join(f"<@{user}>" for user in missing)
        raise Refused(f"{names} would not see it: name somebody who is in these direct messages.")


def _people(interaction: Interaction) -> set[DiscordId]:
    """Who is in these direct messages; nobody where that is not known."""
    channel = interaction.channel
    if not isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return set()
    people = {user.id for user in channel.recipients} | {interaction.user.id}
    return people if len(people) > 1 else set()
