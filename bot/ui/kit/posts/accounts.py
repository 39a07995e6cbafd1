"""Deleted Discord accounts, which Discord does not announce to bots."""

import re

import discord

from bot.app.tasks.rounds import TryLater
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.posting import DISCORD_ERRORS
from db.api.places import DiscordId

DELETED_NAME = re.compile(r"deleted_user_[0-9a-f]{6,}|Deleted User( [0-9a-f]{6,})?")
"""The user names that Discord gives to deleted accounts. No field says that an account is deleted."""


async def is_deleted(clients: Clients, user: DiscordId) -> bool:
    """Return True if the account of a member has all signs of deletion. Raises TryLater if Discord does not respond.

    A member could choose such a user name, but hardly without a display name and an avatar. An account that Discord
    does not know at all is not taken for a deleted one, because that answer would concern every member if it was wrong.
    """
    try:
        found = await clients.fetch_user(user)
    except discord.NotFound:
        return False
    except DISCORD_ERRORS as error:
        raise TryLater("the account could not be looked up") from error
    unnamed = found.global_name is None and found.avatar is None
    return unnamed and DELETED_NAME.fullmatch(found.name) is not None
