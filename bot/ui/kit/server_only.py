"""What is of use in servers that have installed the bot, and nowhere else. All other commands are there everywhere."""

from typing import TypeVar

from discord import app_commands

T = TypeVar("T")


def in_servers(command: T) -> T:
    """A command for servers that have installed the bot."""
    within = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    return app_commands.allowed_installs(guilds=True, users=False)(within(command))
