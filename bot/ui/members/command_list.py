"""The list of all commands that a member is offered, below `/help`."""

from collections.abc import Sequence
from typing import Any, cast

import discord
from discord import AppCommandType, app_commands, ui
from discord.ext import commands

from bot.ui.components.layout import message
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said


def everything(
    slash: Sequence[app_commands.Command[Any, ..., Any] | app_commands.Group],
    menus: Sequence[app_commands.ContextMenu],
    permissions: discord.Permissions,
    *,
    installed: bool,
) -> str:
    """Return a line for each command that a member with these permissions is offered.

    `installed` is True in a server that has installed the bot.
    """
    mine = [
        command
        for command in slash
        if (command.default_permissions is None or command.default_permissions <= permissions)
        and (installed or command.allowed_contexts is None)
    ]
    lines = [
        f"`/{command.name}` {command.description}" for command in sorted(mine, key=lambda found: found.name)
    ]
    lines += [
        f"**{menu.name}**: in the menu of a {'member' if menu.type is AppCommandType.user else 'message'}, under Apps."
        for menu in menus
    ]
    return "\n".join(["### All commands", *lines])


class CommandsButton(PersistentItem[ui.Button[Any]], template="help:commands"):
    """Shows all commands."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="All commands", custom_id="help:commands"))

    async def answer(self, acting: Acting) -> Said:
        tree = cast(commands.Bot, acting.interaction.client).tree
        menus = [
            *tree.get_commands(type=AppCommandType.user),
            *tree.get_commands(type=AppCommandType.message),
        ]
        slash = tree.get_commands(type=AppCommandType.chat_input)
        installed = acting.interaction.is_guild_integration()
        text = everything(slash, menus, acting.interaction.permissions, installed=installed)
        return Said("", message(text))
