"""Answering a completion: the suggestions for an option that a member is typing."""

from collections.abc import Sequence
from typing import TypeVar

import discord
import structlog
from discord import app_commands

from bot.ui.interactions.acting import Interaction
from bot.ui.posts.posting import DISCORD_ERRORS

T = TypeVar("T", str, int)

log = structlog.get_logger()


async def suggest(interaction: Interaction, choices: Sequence[app_commands.Choice[T]] = ()) -> None:
    """Answer with these suggestions, by default with none.

    Discord asks again with the next letter, so an answer that is lost or late matters to nobody.
    """
    try:
        await interaction.response.autocomplete([*choices])
    except (*DISCORD_ERRORS, RuntimeError) as error:
        # aiohttp's only sign of a session that is closed, as the shard moves to another process.
        if isinstance(error, RuntimeError) and not interaction.client.is_closed():
            raise
        log.info("suggestions not delivered", error=type(error).__name__)
        # discord.py would try again and log that as an error.
        interaction.response._response_type = discord.InteractionResponseType.autocomplete_result
