"""The answer to members and servers that are banned from the bot."""

from typing import Any, cast

import discord
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.ui.kit.answers.acting import Bot, Interaction
from bot.ui.kit.answers.reply import refuse
from bot.ui.kit.answers.suggestions import suggest
from db.api.administration import Ban
from rules.core.errors import shown

LONGEST_REASON = 200
"""The most characters of a reason."""
STAYS = "privacy"
"""The command, and the beginning of the custom ids, by which also banned members get their data or have it deleted."""


async def refuse_if_banned(interaction: Interaction) -> bool:
    """Return True if the member or the server is banned; the member is told then."""
    administration = cast(Bot, interaction.client).services.administration
    of_server = administration.ban_of_server(interaction.guild_id)
    ban = administration.ban_of_member(interaction.user.id) or of_server
    if ban is None or _is_about_privacy(interaction):
        return False
    if interaction.type is discord.InteractionType.autocomplete:
        await suggest(interaction)
    else:
        await refuse(interaction, Refused(_sentence(ban, server=ban is of_server)))
    return True


def _sentence(ban: Ban, *, server: bool) -> str:
    until = "any more" if ban.until is None else f"until {format_dt(ban.until)}"
    reason = shown(ban.reason, LONGEST_REASON)
    if server:
        return f"I may not be used in this server {until}, because of this: {reason}."
    return f"You may not use me {until}, because of this: {reason}; only `/privacy` still answers you."


def _is_about_privacy(interaction: Interaction) -> bool:
    data = cast("dict[str, Any]", interaction.data)
    return data.get("name") == STAYS or str(data.get("custom_id", "")).startswith(f"{STAYS}:")
