"""Naming the permissions that the bot lacks to whoever can grant them."""

from collections.abc import Iterable

import discord

from db.values import DiscordId


def lacking(guild: discord.Guild, channel: DiscordId, names: Iterable[str]) -> str:
    """Those of these permissions that the bot lacks in a channel, as Discord's settings name them; "" for none."""
    found = guild.get_channel(channel)
    if found is None:
        return named(["view_channel"])
    held = found.permissions_for(guild.me)
    return named(name for name in names if not getattr(held, name))


def named(permissions: Iterable[str]) -> str:
    """Permissions as people read them: `View Channel and Send Messages`."""
    words = [name.replace("_", " ").title().replace(" In ", " in ") for name in permissions]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
