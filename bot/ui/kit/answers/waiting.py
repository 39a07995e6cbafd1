"""Telling a member how far an answer is that takes a while."""

import discord
import structlog

from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import NOBODY, answers_in_components, is_command
from bot.ui.kit.content.layout import message
from bot.ui.kit.posts.posting import DISCORD_ERRORS

log = structlog.get_logger()


class Waiting:
    """A note that only the member who acted sees, in the place of the answer to a command and beside the answer to a
    button. If Discord refuses it, the answer comes without one."""

    def __init__(self, acting: Acting) -> None:
        self._interaction = acting.interaction
        self._note: discord.WebhookMessage | None = None

    async def show(self, words: str) -> None:
        """Show these words instead of those before them."""
        view = message(words)
        try:
            if is_command(self._interaction):
                answers_in_components(self._interaction)
                await self._interaction.edit_original_response(view=view, allowed_mentions=NOBODY)
            elif self._note is None:
                self._note = await self._interaction.followup.send(view=view, ephemeral=True, wait=True)
            else:
                await self._note.edit(view=view)
        except DISCORD_ERRORS as error:
            log.info("progress not shown", error=type(error).__name__)

    async def end(self) -> None:
        """Delete the note if it stands beside the answer."""
        if self._note is None:
            return
        try:
            await self._note.delete()
        except DISCORD_ERRORS as error:
            log.info("progress not deleted", error=type(error).__name__)
        self._note = None
