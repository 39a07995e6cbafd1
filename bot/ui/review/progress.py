"""A private message that says how far something has come, and that becomes its result."""

import asyncio

import discord
import structlog
from discord import ui

from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import NOBODY, Said
from bot.ui.kit.content.layout import card
from bot.ui.kit.posts.posting import DISCORD_ERRORS

log = structlog.get_logger()

PATIENCE = 1.5
"""Seconds before progress is told, and between two messages about it."""


class ProgressMessage:
    """Tells one member of progress. Nothing is told of what is done at once."""

    def __init__(self, acting: Acting) -> None:
        self._interaction = acting.interaction
        self._told = asyncio.get_running_loop().time()
        self._message: discord.WebhookMessage | None = None
        self._shown = False

    async def tell(self, text: str) -> None:
        """Show this text, unless another was shown a moment ago."""
        now = asyncio.get_running_loop().time()
        if now - self._told < PATIENCE:
            return
        self._told = now
        try:
            await self._show(card(text))
        except DISCORD_ERRORS as error:
            log.info("progress not told", error=type(error).__name__)

    async def end(self, said: Said) -> Said | None:
        """Show the result in the same message. Return what is still to be sent, if no progress was told."""
        if not self._shown:
            return said
        assert isinstance(said.view, ui.LayoutView)
        await self._show(said.view, said)
        return None

    async def _show(self, view: ui.LayoutView, said: Said | None = None) -> None:
        files = [] if said is None else said.attached
        if self._interaction.type is discord.InteractionType.application_command:
            await self._interaction.edit_original_response(
                view=view, attachments=files, allowed_mentions=NOBODY
            )
        elif self._message is None:
            self._message = await self._interaction.followup.send(
                view=view, files=files, ephemeral=True, wait=True, allowed_mentions=NOBODY
            )
        else:
            await self._message.edit(view=view, attachments=files, allowed_mentions=NOBODY)
        self._shown = True
