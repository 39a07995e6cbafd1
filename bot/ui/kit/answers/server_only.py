"""A mark for commands that are offered only in servers that have installed the bot; all others are offered anywhere."""

from typing import TypeVar

from discord import app_commands

T = TypeVar("T")


def in_servers(command: T) -> T:
    """Offer a command only in servers that have installed the bot."""
    within = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    return app_commands.allowed_installs(guilds=True, users=False)(within(command))
