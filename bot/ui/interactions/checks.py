"""Checks of what an interaction is about: its place, the members whom it names, and the game of a message."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.mentions import mentions
from bot.ui.interactions.reply import Context, Interaction
from db.values.matches import Search
from db.values.members import is_computer
from db.values.places import DiscordId

ALONE = (
    "Here you can play against me with `/play`; to play with another member, start a game in a server, or add me to"
    " your apps and start one in your direct messages with them."
)


UNKNOWN_USER = (10007, 10013)
"""Error codes of Discord for somebody who is not a member of a server, and for an id that no user has."""
UNKNOWN_MEMBER = "This member is not here; use the command again."


def check_place(interaction: Interaction, users: Iterable[DiscordId] = (), *, alone: bool = False) -> None:
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
        names = mentions(missing)
        raise Refused(f"{names} would not see the game; choose members of this conversation.")


async def check_members(context: Context, users: Iterable[DiscordId]) -> None:
    """Raise Refused unless these users could be chosen in a command here, since a custom id may name any user.

    Users who have finished a game here are known without asking Discord. In a server of which the bot is not a member,
    it cannot ask.
    """
    interaction, place = context.interaction, context.place
    there = _people(interaction)
    for user in users:
        if user == context.user or is_computer(user) or user in there:
            continue
        if await context.services.store.history.last(Search.near(place, None, user), 1):
            continue
        if there or interaction.context.dm_channel:
            raise Refused(UNKNOWN_MEMBER)
        guild = None if place.guild is None else interaction.client.get_guild(place.guild)
        if guild is None:
            continue
        try:
            await guild.fetch_member(user)
        except discord.NotFound as error:
            if error.code not in UNKNOWN_USER:
                raise
            raise Refused(UNKNOWN_MEMBER) from None


def _people(interaction: Interaction) -> set[DiscordId]:
    """Return the members of these direct messages; empty where they are not known."""
    channel = interaction.channel
    if not isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return set()
    people = {user.id for user in channel.recipients} | {interaction.user.id}
    return people if len(people) > 1 else set()


_NUMBER = re.compile(r"#(?P<match>[0-9]{1,9})\b")
_MOVE = re.compile(r"(?:^-# | · )(?P<moves>[0-9]{1,4})[.] ")
"""A move in a line by which earlier versions of the bot replaced a board, like `-# 12. @Ada c4`."""


class GameMessage(NamedTuple):
    """A match, and the number of moves that its message shows; None if the message shows no move."""

    match: int
    moves: int | None


def game_of(context: Context, message: discord.Message) -> GameMessage:
    """Return the game of a message of this bot: the first number like `#12`. Raises Refused if there is none."""
    bot = context.interaction.client.user
    texts = _texts(message) if bot is not None and message.author.id == bot.id else []
    found = next(filter(None, map(_NUMBER.search, texts)), None)
    if found is None:
        raise Refused("This message shows no game; choose a message with one of my boards.")
    moves = [int(one["moves"]) for text in texts for one in _MOVE.finditer(text)]
    return GameMessage(int(found["match"]), moves[-1] if moves else None)


def _texts(message: discord.Message) -> list[str]:
    if not message.flags.components_v2:
        return [message.content]
    view = ui.LayoutView.from_message(message)
    return [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]


def moderates(context: Context) -> bool:
    """Return True if a member may end games and change cups here."""
    held = context.interaction.permissions
    return context.place.guild is not None and (held.manage_messages or held.manage_guild)
