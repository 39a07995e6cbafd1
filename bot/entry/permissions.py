"""Naming the permissions that the bot lacks to whoever can grant them."""

from collections.abc import Iterable

import discord

from db.values import DiscordId, Place

OWN_THREAD = ("view_channel", "create_public_threads", "send_messages_in_threads", "attach_files")
"""What a game needs in a channel to be played in a thread of its own."""


def posting(*, thread: bool, pictures: bool = True) -> tuple[str, ...]:
    """What posting in a channel or in a thread needs: a board with its picture, or a message without."""
    sending = "send_messages_in_threads" if thread else "send_messages"
    return ("view_channel", sending, "attach_files") if pictures else ("view_channel", sending)


def ruling(guild: discord.Guild, place: Place) -> tuple[DiscordId, bool]:
    """The channel whose permissions rule at a place, and whether the place is a thread of it."""
    found = guild.get_thread(place.channel)
    parent = place.parent or (found.parent_id if found else None)
    return parent or place.channel, parent is not None


def lacking(guild: discord.Guild, channel: DiscordId, names: Iterable[str]) -> str:
    """Those of these permissions that the bot lacks in a channel, as Discord's settings name them; "" for none."""
    found = guild.get_channel(channel)
    if found is None:
        return named(["view_channel"])
    # What is granted, one by one: discord.py's own sums leave out what is of no use without another permission.
    return missing(discord.abc.GuildChannel.permissions_for(found, guild.me), names)


def missing(held: discord.Permissions, names: Iterable[str]) -> str:
    """Those of these permissions that are not held, as Discord names them; "" for none, as an administrator has it."""
    return "" if held.administrator else named(name for name in names if not getattr(held, name))


def named(permissions: Iterable[str]) -> str:
    """Permissions as people read them: `View Channel and Send Messages`."""
    words = [name.replace("_", " ").title().replace(" In ", " in ") for name in permissions]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
