"""Calling the members of a role to a game, as far as the server allows it."""

import discord

from bot.app.errors import Refused
from bot.ui.kit.answers.acting import Interaction

EVERYBODY = "Mention @everyone, @here and All Roles"
"""The permission to mention any role, as Discord names it."""


def check_call(interaction: Interaction, role: discord.Role) -> None:
    """Raise Refused unless both this member and the bot may mention a role here.

    Discord allows it for roles that anybody may mention, and else only with a permission.
    """
    if not interaction.is_guild_integration():
        raise Refused("I can call a role only in a server of which I am a member; leave `call` out.")
    if role.mentionable and not role.is_default():
        return
    name = "@here" if role.is_default() else f"@{role.name}"
    if not interaction.permissions.mention_everyone:
        raise Refused(f"You may not call {name} here: you lack the permission {EVERYBODY}.")
    if not interaction.app_permissions.mention_everyone:
        raise Refused(f"I may not call {name} here: I lack the permission {EVERYBODY}.")


def call_text(role: discord.Role | None) -> str:
    """Return the mention of a role; of @everyone only those are called who are there now. "" for None."""
    if role is None:
        return ""
    return "@here" if role.is_default() else role.mention
