"""`/settings`: what those who manage a server set for it, all in one message that only they see."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.entry.desk import Desk, desk_of
from bot.entry.item import Kept
from bot.entry.look import swatch_files, swatches, theme_chosen, theme_options
from bot.entry.reply import Said, answer
from db.values import DiscordId

Interaction = discord.Interaction[Any]


async def show_settings(interaction: Interaction) -> None:
    """Show the server's settings to somebody who may change them."""

    async def act() -> Said:
        view = await settings(desk_of(interaction), _managed(interaction))
        return Said("", view, files=await swatch_files())

    await answer(interaction, act)


async def settings(desk: Desk, guild: DiscordId) -> ui.LayoutView:
    """The settings of a server as a message."""
    chosen = await desk.preferences.guild(guild)
    box: ui.Container[Any] = ui.Container()
    box.add_item(ui.TextDisplay("### Settings of this server\nOnly you see this."))
    box.add_item(ui.TextDisplay("**The look** of pictures that everybody sees"))
    box.add_item(swatches())
    box.add_item(ui.ActionRow(ThemeSetting(theme_options(chosen.theme, "As the bot has it"))))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


def _managed(interaction: Interaction) -> DiscordId:
    """The server, if this member may manage it.

    Servers may give a command to whom they like, and buttons have no such guard, so Discord's word counts each time.
    """
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Refused("These are for members who may manage this server (the permission Manage Server).")
    return interaction.guild_id


class ThemeSetting(Kept[ui.Select[Any]], template="setting:theme"):
    """Sets the look of public pictures."""

    def __init__(self, options: list[discord.SelectOption] | None = None) -> None:
        super().__init__(ui.Select(custom_id="setting:theme", options=options or []))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            desk, guild = desk_of(interaction), _managed(interaction)
            await desk.preferences.change(guild, theme=theme_chosen(self.item.values[0]))
            await interaction.edit_original_response(view=await settings(desk, guild))

        await answer(interaction, act)
